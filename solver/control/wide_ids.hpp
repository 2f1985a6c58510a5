// Numbers of the deck that the plot files have no room for.
#pragma once

#include "deck/deck.hpp"

namespace crumple::control {

/// Report CR-O110 for each kind of thing (nodes, elements, parts) that has a number above 2^31 - 1, which the
/// 4-byte words of d3plot do not hold. Must come before Deck::release_rows.
void report_wide_ids(const deck::Deck& deck);

}  // namespace crumple::control
