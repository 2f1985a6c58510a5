// *INITIAL_FOAM_REFERENCE_GEOMETRY: where the nodes of foams and rubbers are when these have no stress.
#pragma once

#include "model/fields.hpp"

namespace crumple::loads {

/// The place of a node in the reference shape of solids whose material has REF = 1.
struct FoamReferenceNode {
  LocalId node = model::kNone;
  Vec3 x;
};

template <class V>
void fields(V& v, FoamReferenceNode& s) {
  model::members(v, s, model::nodes_of(s.node), s.x);
}

/// Whether solids of this material begin from a reference shape, where one is given.
bool asks_for_reference(const model::Material& material);

/// Adds the deck's reference shapes to the model.
void read_foam_references(model::Builder& build);

const model::Feature& foam_reference_feature();

}  // namespace crumple::loads
