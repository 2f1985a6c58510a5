// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED: what the deck says of moments between rigid bodies.
#pragma once

#include <array>

#include "model/fields.hpp"

namespace crumple::constraints {

/// Moment between two rigid bodies about one of the angles of *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointMoment {
  LocalId curve = model::kNone, damping_curve = model::kNone;  ///< of the angle, of its rate; in radians
  double stiffness = 0;                                        ///< ES..: of friction and stops, per radian
  double friction = 0;                                         ///< FM..: largest moment of friction, 0: none
  LocalId friction_curve = model::kNone;                       ///< that moment as a curve of the angle
  double lower_stop = 0, upper_stop = 0;                       ///< NSA.. and PSA.. in radians, 0: none
};

/// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointStiffness {
  GlobalId id = 0;
  std::array<LocalId, 2> bodies{model::kNone, model::kNone};
  std::array<std::array<Vec3, 3>, 2> axes{};  ///< axes that rotate with A and B, at t = 0
  std::array<JointMoment, 3> moments{};       ///< about phi, theta and psi
};

template <class V>
void fields(V& v, JointStiffness& s) {
  model::members(v, s, s.id, s.bodies, s.axes, s.moments);
}

/// Adds the deck's moments to the model.
void read_joint_stiffnesses(model::Builder& build);

const model::Feature& joint_stiffness_feature();

}  // namespace crumple::constraints
