// Errors of saved states, and sums of packed integers.
#include "state/saved_rows.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/error.hpp"

namespace crumple::state {

namespace {

/// "module 'contact': field 'nodes/work'"
std::string called(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return fmt::format("field '{}'", name);
  return fmt::format("module '{}': field '{}'", name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace

void refuse_missing(const std::string& name) {
  throw Error("CR-A001", fmt::format("{} is missing in the saved state", called(name)));
}

void refuse_row(const Field& field, std::span<const GlobalId> key) {
  std::string text;
  for (const GlobalId part : key) text += (text.empty() ? "" : ", ") + std::to_string(part);
  throw Error("CR-A001", fmt::format("{} has no row for {} {} in the saved state", called(field.name),
                                     name_of(field.rows.of), text));
}

void refuse_kind(const std::string& name) {
  throw Error("CR-A003", fmt::format("{} is of another kind in the saved state", called(name)));
}

void refuse_unread(const std::vector<std::string>& names) {
  if (!names.empty())
    throw Error("CR-A002",
                fmt::format("{} of the saved state is not known to this run", called(names.front())));
}

void add_parts(const std::byte* from, std::byte* to, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k, from += 8, to += 8) {
    std::int64_t a = 0, b = 0;
    std::memcpy(&a, from, 8), std::memcpy(&b, to, 8);
    b += a;
    std::memcpy(to, &b, 8);
  }
}

}  // namespace crumple::state
