// Nodes of spot welds that fail by the plastic strain around them (EP, EPSF), on every rank.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

struct WeldNodes {
  std::vector<LocalId> nodes;             ///< ascending user id, each once; kNone where a rank has it not
  std::vector<model::ElementKind> kinds;  ///< of the elements at each that count
};

template <class V>
void fields(V& v, WeldNodes& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.kinds);
}

const model::Feature& weld_nodes_feature();

}  // namespace crumple::constraints
