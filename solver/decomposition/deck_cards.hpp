// *CONTROL_MPP_DECOMPOSITION: the decomposition cards of a deck.
#pragma once

#include "deck/deck.hpp"
#include "decomposition/directions.hpp"

namespace crumple::decomposition {

/// The cards of a deck, and the pfile in it (*CONTROL_MPP_PFILE). Cards that have no effect in this program
/// are reported to the deck: CR-D330, or CR-P022 for words of the pfile. Throws the errors of parse_pfile.
Directions read_cards(const deck::Deck& deck);

/// `first` where given, else `second`; regions of both, first those of `first`.
Directions combine(Directions first, const Directions& second);

}  // namespace crumple::decomposition
