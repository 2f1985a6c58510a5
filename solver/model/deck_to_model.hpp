// Cards to the physical model: the only place that knows both.
#pragma once

#include "deck/deck.hpp"
#include "model/model.hpp"

namespace crumple::model {

struct BuildOptions {
  bool allow_unsupported = false;  ///< physics that is not supported: a warning instead of an error
};

/// The whole model of a deck. Everything wrong is reported to the deck and all of it in one pass; the model
/// is whole only if `deck.has_errors()` is false afterwards. Contacts name their sides (`input_a`,
/// `input_b`); their surfaces are found later by preparation::build_surfaces.
Model build_model(const deck::Deck& deck, const BuildOptions& options = {});

}  // namespace crumple::model
