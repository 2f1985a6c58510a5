// *LOAD_RIGID_BODY: what the deck says of forces and moments on rigid bodies.
#pragma once

#include "model/fields.hpp"

namespace crumple::loads {

/// A force at the centre of mass, or a moment.
struct RigidBodyLoad {
  LocalId body = model::kNone;
  bool moment = false;
  Vec3 direction;
  LocalId curve = model::kNone;
  double scale = 1;
};

template <class V>
void fields(V& v, RigidBodyLoad& s) {
  model::members(v, s, s.body, s.moment, s.direction, model::curves_of(s.curve), s.scale);
}

/// Adds the deck's loads to the model.
void read_rigid_body_loads(model::Builder& build);

const model::Feature& rigid_body_load_feature();

}  // namespace crumple::loads
