// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED, _FLEXION-TORSION and _TRANSLATIONAL: what the deck says of
// moments and forces between rigid bodies.
#pragma once

#include <array>
#include <cstdint>

#include "model/fields.hpp"

namespace crumple::constraints {

enum class StiffnessKind : std::int8_t {
  generalized,      ///< moments by phi, theta and psi
  flexion_torsion,  ///< moments by alpha, whose direction is gamma, and beta
  translational     ///< forces by displacements along x, y and z
};

/// Moment between two rigid bodies about one of the angles, or force along one of the axes.
struct JointMoment {
  LocalId curve = model::kNone, damping_curve = model::kNone;  ///< of the angle or length, of its rate
  double stiffness = 0;                   ///< ES..: of friction and stops, per radian or length
  double friction = 0;                    ///< FM.., FF..: largest moment or force of friction, 0: none
  LocalId friction_curve = model::kNone;  ///< that moment as a curve of the angle
  double lower_stop = 0, upper_stop = 0;  ///< NSA.. and PSA.. in radians, NSD.. and PSD.., 0: none
};

/// *CONSTRAINED_JOINT_STIFFNESS_...
struct JointStiffness {
  GlobalId id = 0;
  StiffnessKind kind = StiffnessKind::generalized;
  std::array<LocalId, 2> bodies{model::kNone, model::kNone};
  std::array<std::array<Vec3, 3>, 2> axes{};  ///< axes that rotate with A and B, at t = 0
  std::array<Vec3, 2> origins{};              ///< of these axes, on A and on B
  /// About phi, theta and psi; about alpha, nothing, and beta; or along x, y and z.
  std::array<JointMoment, 3> moments{};
  /// LCIDG: factor of the moment of alpha by gamma. DLCIDG: of its damping by the rate of gamma.
  LocalId scale_curve = model::kNone, damping_scale_curve = model::kNone;
};

template <class V>
void fields(V& v, JointStiffness& s) {
  model::members(v, s, s.id, s.kind, s.bodies, s.axes, s.origins, s.moments, s.scale_curve,
                 s.damping_scale_curve);
}

/// Adds the deck's moments and forces to the model.
void read_joint_stiffnesses(model::Builder& build);

const model::Feature& joint_stiffness_feature();

}  // namespace crumple::constraints
