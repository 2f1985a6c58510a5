// *BOUNDARY_NON_REFLECTING: what the deck says of boundaries that let waves pass.
#pragma once

#include <array>

#include "model/fields.hpp"

namespace crumple::loads {

/// A face of a solid behind which the solid is meant to go on.
struct NonReflectingFace {
  std::array<LocalId, 4> nodes{};  ///< a triangle repeats its last node
  LocalId solid = model::kNone;
  bool dilatation = true, shear = true;  ///< waves that pass
};

template <class V>
void fields(V& v, NonReflectingFace& s) {
  model::members(v, s, model::nodes_of(s.nodes), model::elements_of(s.solid, model::ElementKind::solid),
                 s.dilatation, s.shear);
}

/// Adds the deck's boundaries to the model.
void read_non_reflecting(model::Builder& build);

const model::Feature& non_reflecting_feature();

}  // namespace crumple::loads
