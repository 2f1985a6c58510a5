// Numbers of the deck that are too large for the plot files.
#pragma once

#include "deck/deck.hpp"

namespace crumple::control {

/// Report CR-O110 for each kind of entity (nodes, elements, parts) with a number above 2^31 - 1, which does
/// not fit into the 4-byte words of d3plot. Must come before Deck::release_rows.
void report_wide_ids(const deck::Deck& deck);

}  // namespace crumple::control
