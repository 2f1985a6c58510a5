// What readers of a saved state have in common: refusals, and sums of rows that are parts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "state/archive.hpp"

namespace crumple::state {

/// Throws Error CR-A001: the saved state has no field of this name.
[[noreturn]] void refuse_missing(const std::string& name);
/// Throws Error CR-A001: the saved state lacks a row of a field.
[[noreturn]] void refuse_row(const Field& field, std::span<const GlobalId> key);
/// Throws Error CR-A003: the saved field is of another kind.
[[noreturn]] void refuse_kind(const std::string& name);
/// Throws Error CR-A002 with the first of `names` and its module, if there are any.
void refuse_unread(const std::vector<std::string>& names);

/// Adds the n integers of a row of parts to another.
void add_parts(const std::byte* from, std::byte* to, std::size_t n);

}  // namespace crumple::state
