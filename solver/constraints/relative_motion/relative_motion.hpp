// *BOUNDARY_PRESCRIBED_MOTION_RIGID with VAD = 4: what the deck says of a body's displacement relative to
// another.
#pragma once

#include <array>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::constraints {

/// The centre of mass of `body` moves away from that of `lead` by the curve: along the line between both
/// centres, or along a vector between two points of rigid bodies. The lead body does not feel it (LS-DYNA
/// keyword manual, vol. I, *BOUNDARY_PRESCRIBED_MOTION, remark on relative displacement).
struct RelativeMotion {
  LocalId body = model::kNone, lead = model::kNone;
  std::array<LocalId, 2> ends{model::kNone,
                              model::kNone};  ///< bodies of NODE1 and NODE2; kNone: along the line
  std::array<Vec3, 2> points{};               ///< NODE1 and NODE2 at t = 0
  LocalId curve = model::kNone;
  double scale = 1, birth = 0, death = model::kMotionNeverEnds;

  bool along_line() const { return ends[0] == model::kNone; }
};

template <class V>
void fields(V& v, RelativeMotion& s) {
  model::members(v, s, s.body, s.lead, s.ends, s.points, model::curves_of(s.curve), s.scale, s.birth,
                 s.death);
}

/// The component of `velocity` along `direction` that the motion asks for in a step of `dt`. `direction` is
/// the unit vector of the motion at its beginning.
///
/// @param way from the lead's centre to the body's, at the beginning of the step
/// @param lead velocity of the lead in the step
/// @param reach what `way` along the direction is to be at the end: on the line, its length
double relative_velocity(const RelativeMotion& motion, const Vec3& direction, const Vec3& way,
                         const Vec3& velocity, const Vec3& lead, double reach, double dt);

const model::Feature& relative_motion_feature();

}  // namespace crumple::constraints
