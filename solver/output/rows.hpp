// A check that a history gets as many rows as its file was begun with.
#pragma once

#include <cstddef>

namespace crumple::output {

/// @throws Error CR-O001 unless the block of `what` has the `expected` number of rows
void require_rows(const char* what, std::size_t rows, std::size_t expected);

}  // namespace crumple::output
