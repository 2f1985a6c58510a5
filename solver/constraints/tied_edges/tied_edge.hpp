// *CONSTRAINED_TIE-BREAK: what the deck says of shell edges on others, which fail node by node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

/// A node on the line between two others.
struct NodeOnEdge {
  std::int32_t node = 0;  ///< places in the edge's nodes
  std::array<std::int32_t, 2> ends{};
  double share = 0;  ///< of the way from the first end to the second
};

struct TiedEdge {
  std::vector<LocalId> nodes;  ///< of both edges, ascending user id
  std::vector<NodeOnEdge> tied;
  double failure_strain = 0;  ///< EPPF
};

template <class V>
void fields(V& v, TiedEdge& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.tied, s.failure_strain);
}

/// Adds the deck's tied edges to the model.
void read_tied_edges(model::Builder& build);

const model::Feature& tied_edge_feature();

}  // namespace crumple::constraints
