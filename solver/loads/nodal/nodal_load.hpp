// *LOAD_NODE: what the deck says of forces and moments on nodes.
#pragma once

#include <array>

#include "model/fields.hpp"

namespace crumple::loads {

/// Force or moment on a node or a rigid body's node.
struct NodalLoad {
  LocalId node = model::kNone;
  int dof = 0;  ///< 1-3 force, 5-7 moment, 4/8 follower
  LocalId curve = model::kNone;
  double scale = 1.0;
  std::array<LocalId, 3> follower{model::kNone, model::kNone, model::kNone};
};

template <class V>
void fields(V& v, NodalLoad& s) {
  model::members(v, s, model::nodes_of(s.node), s.dof, model::curves_of(s.curve), s.scale,
                 model::nodes_of(s.follower));
}

/// Adds the deck's loads to the model.
void read_nodal_loads(model::Builder& build);

const model::Feature& nodal_load_feature();

}  // namespace crumple::loads
