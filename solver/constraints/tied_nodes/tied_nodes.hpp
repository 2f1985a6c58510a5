// *CONSTRAINED_TIED_NODES_FAILURE: what the deck says of coincident nodes that move as one until they fail.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

/// Nodes at one place, of a set.
struct TiedNodes {
  GlobalId set = 0;                                     ///< number of the node set
  std::vector<LocalId> nodes;                           ///< ascending user id
  double failure_strain = 0;                            ///< EPPF
  model::ElementKind kind = model::ElementKind::shell;  ///< whose plastic strain counts (ETYPE)
  std::uint8_t by_springs = 0;                          ///< 1: links by springs hold it (stiff_links/)
};

template <class V>
void fields(V& v, TiedNodes& s) {
  model::members(v, s, s.set, model::nodes_of(s.nodes), s.failure_strain, s.kind, s.by_springs);
}

/// Adds the deck's tied nodes to the model.
void read_tied_nodes(model::Builder& build);

const model::Feature& tied_nodes_feature();

}  // namespace crumple::constraints
