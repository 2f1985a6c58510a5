// *CONSTRAINED_LINEAR_GLOBAL and _LOCAL: what the deck says of linear relations between freedoms of nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

/// C_k u_k of a constraint: the displacement or turn of a node along `along`, which has the length C_k.
struct LinearTerm {
  std::int32_t place = 0;  ///< of the node in its group
  std::int32_t turns = 0;  ///< 1: a rotation
  Vec3 along;
};

/// Constraints sum C_k u_k = 0 that share nodes: they are solved together.
struct LinearGroup {
  std::vector<LocalId> nodes;       ///< ascending user id
  std::vector<GlobalId> ids;        ///< of the constraints (LICD)
  std::vector<std::int32_t> first;  ///< of each constraint's terms; one more for the end
  std::vector<LinearTerm> terms;
};

template <class V>
void fields(V& v, LinearGroup& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.ids, s.first, s.terms);
}

/// Adds the deck's constraints to the model.
void read_linear_constraints(model::Builder& build);

const model::Feature& linear_constraint_feature();

}  // namespace crumple::constraints
