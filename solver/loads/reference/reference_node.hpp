// *AIRBAG_REFERENCE_GEOMETRY: where nodes are when fabrics have no strain.
#pragma once

#include "model/fields.hpp"

namespace crumple::loads {

/// The place of a node in the reference shape of the membranes of fabric that have it.
struct ReferenceNode {
  LocalId node = model::kNone;
  Vec3 x;
};

template <class V>
void fields(V& v, ReferenceNode& s) {
  model::members(v, s, model::nodes_of(s.node), s.x);
}

/// Adds the deck's reference shapes to the model.
void read_reference_nodes(model::Builder& build);

const model::Feature& reference_node_feature();

}  // namespace crumple::loads
