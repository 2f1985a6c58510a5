// Layers as decks list them: material, thickness and angle, two to a line, or one with _LONG.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "deck/deck.hpp"

namespace crumple::model {

/// A layer as in the deck.
struct GivenPly {
  GlobalId material;
  double thickness, angle;  ///< degrees
  Place place;
};

/// The layers of a record's list; one without thickness and material is not there.
std::vector<GivenPly> given_plies(const deck::Record& record, bool one_to_a_line);

/// Whether a layer of _LONG has a shear factor of its own.
bool any_shear_factor(const deck::Record& record);

}  // namespace crumple::model
