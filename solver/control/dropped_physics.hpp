// What --allow-unsupported has made a run go on without.
#pragma once

#include <string>
#include <vector>

#include "deck/deck.hpp"

namespace crumple::control {

/// Keywords, fields and parts of the deck that are not computed though the deck asks for them, a line each
/// with its place. Empty without --allow-unsupported, where each is an error.
std::vector<std::string> dropped_physics(const deck::Deck& deck, bool allow_unsupported);

}  // namespace crumple::control
