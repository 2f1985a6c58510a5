// *CONTROL_MPP_DECOMPOSITION: what a deck says about the decomposition.
#pragma once

#include "deck/deck.hpp"
#include "decomposition/directions.hpp"

namespace crumple::decomposition {

/// The cards of a deck, and the pfile in it (*CONTROL_MPP_PFILE). What does nothing here is reported to the
/// deck: CR-D330, or CR-P022 for words of the pfile. Throws what parse_pfile throws.
Directions read_cards(const deck::Deck& deck);

/// `first` where it says something, else `second`; regions of both, those of `first` before.
Directions combine(Directions first, const Directions& second);

}  // namespace crumple::decomposition
