// Finds the most likely keyword for a misspelt one.
#pragma once

#include <string>
#include <string_view>

#include "deck/schema.hpp"

namespace crumple::deck {

/// Number of letters to insert, remove or change to get from `a` to `b` (Wagner and Fischer 1974).
std::size_t edits(std::string_view a, std::string_view b);

/// The keyword nearest to `name` (upper case, no `*`) by inserted, removed or changed letters, if they are
/// few: two, or one in six, word by word. Empty otherwise. Words of other keywords, and numbers, do not count
/// as misspelt: *SET_SOLID_LIST is never proposed for *SET_SHELL_LIST.
std::string nearest_keyword(const Schema& schema, std::string_view name);

}  // namespace crumple::deck
