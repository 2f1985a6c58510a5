// The keyword that a misspelt one was most likely meant to be.
#pragma once

#include <string>
#include <string_view>

#include "deck/schema.hpp"

namespace crumple::deck {

/// Letters to put in, take out or change to make `b` of `a` (Wagner and Fischer 1974).
std::size_t edits(std::string_view a, std::string_view b);

/// Keyword that `name` (upper case, no `*`) becomes with fewest letters put in, taken out or changed, if
/// these are few: two, or one in six, word by word. Empty otherwise. Words that other keywords are made of,
/// and numbers, are not taken for misspelt ones: *SET_SOLID_LIST is never proposed for *SET_SHELL_LIST.
std::string nearest_keyword(const Schema& schema, std::string_view name);

}  // namespace crumple::deck
