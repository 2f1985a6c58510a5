// *CONSTRAINED_SHELL_TO_SOLID: what the deck says of shell nodes on lines of solids' nodes.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

/// A line of nodes of solids that stays straight, and the shell node on it.
struct Fibre {
  std::vector<LocalId> nodes;  ///< of the solids, in their order along the line; last the shell's
  double share = 0;  ///< of the way from the first to the last solid node at which the shell node is
};

template <class V>
void fields(V& v, Fibre& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.share);
}

/// Adds the deck's ties to the model.
void read_fibres(model::Builder& build);

const model::Feature& fibre_feature();

}  // namespace crumple::constraints
