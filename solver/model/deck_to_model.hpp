// From cards to the physical model: the only place that depends on both.
#pragma once

#include "deck/deck.hpp"
#include "model/model.hpp"

namespace crumple::model {

struct BuildOptions {
  bool allow_unsupported = false;  ///< physics that is not supported: a warning instead of an error
  bool quiet = false;              ///< reports nothing: a first look at a deck that is read again
};

/// The whole model of a deck. All errors are reported to the deck in one pass; the model is complete only if
/// `deck.has_errors()` is false afterwards. Contacts name their sides (`input_a`, `input_b`);
/// preparation::build_surfaces finds their surfaces later.
Model build_model(const deck::Deck& deck, const BuildOptions& options = {});

}  // namespace crumple::model
