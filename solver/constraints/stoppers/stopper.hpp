// *CONSTRAINED_RIGID_BODY_STOPPERS: what the deck says of limits of the motion of rigid bodies.
#pragma once

#include "model/fields.hpp"
#include "model/never.hpp"
#include "model/stage.hpp"

namespace crumple::constraints {

/// Bounds of the centre of mass of a body along a direction, and of its speed along it.
struct Stopper {
  LocalId body = model::kNone;
  Vec3 direction;                      ///< unit
  LocalId upper = model::kNone;        ///< LCMAX, a curve over time
  LocalId lower = model::kNone;        ///< LCMIN
  bool upper_of_displacement = false;  ///< the bound is one of the displacement, not of the coordinate
  bool lower_of_displacement = false;
  LocalId fastest = model::kNone;  ///< LCVMNX
  double birth = 0, death = model::kNever;
};

template <class V>
void fields(V& v, Stopper& s) {
  model::members(v, s, s.body, s.direction, model::curves_of(s.upper), model::curves_of(s.lower),
                 s.upper_of_displacement, s.lower_of_displacement, model::curves_of(s.fastest), s.birth,
                 s.death);
}

/// The velocity along the stopper's direction that its bounds leave, for a step of `dt` from `time` on.
///
/// @param position, start of the centre along the direction at `time`, and at t = 0
double stopped(const Stopper& stopper, const model::Model& model, double velocity, double position,
               double start, double time, double dt, model::Stage stage);

/// Adds the deck's stoppers to the model.
void read_stoppers(model::Builder& build);

const model::Feature& stopper_feature();

}  // namespace crumple::constraints
