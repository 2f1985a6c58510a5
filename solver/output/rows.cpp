// A check that a history gets as many rows as its file was begun with.
#include "output/rows.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace crumple::output {

void require_rows(const char* what, std::size_t rows, std::size_t expected) {
  if (rows == expected) return;
  throw Error("CR-O001", fmt::format("{} has {} rows, expected {}", what, rows, expected), {}, Exit::run);
}

}  // namespace crumple::output
