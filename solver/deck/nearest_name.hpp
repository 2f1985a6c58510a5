// The keyword that a misspelt one was most likely meant to be.
#pragma once

#include <string>
#include <string_view>

#include "deck/schema.hpp"

namespace crumple::deck {

/// Letters to put in, take out or change to make `b` of `a` (Wagner and Fischer 1974).
std::size_t edits(std::string_view a, std::string_view b);

/// Keyword of the schema that `name` (upper case, no `*`) becomes with fewest letters put in, taken out or
/// changed, if these are few: up to one in six. Empty otherwise. Of several the first by name.
std::string nearest_keyword(const Schema& schema, std::string_view name);

}  // namespace crumple::deck
