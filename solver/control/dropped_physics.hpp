// The parts of a deck that a run ignores because of --allow-unsupported.
#pragma once

#include <string>
#include <vector>

#include "deck/deck.hpp"

namespace crumple::control {

/// Keywords, fields and parts of the deck that are not supported and therefore ignored, one line each with
/// its place. Empty without --allow-unsupported, where each is an error.
std::vector<std::string> dropped_physics(const deck::Deck& deck, bool allow_unsupported);

}  // namespace crumple::control
