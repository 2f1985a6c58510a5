// The velocity with which a body reaches its place relative to another at the end of a step.
#include "constraints/relative_motion/relative_motion.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::constraints {

double relative_velocity(const RelativeMotion& motion, const Vec3& direction, const Vec3& way,
                         const Vec3& velocity, const Vec3& lead, double reach, double dt) {
  const double now = dot(way, direction), of_lead = dot(lead, direction);
  if (!motion.along_line()) return of_lead + (reach - now) / dt;
  // The distance after the step, with what moves across the line: sqrt((now + dt v)^2 + across^2) = reach.
  const Vec3 relative = velocity - lead;
  const Vec3 across = dt * (relative - dot(relative, direction) * direction);
  return of_lead + (std::sqrt(std::max(reach * reach - dot(across, across), 0.0)) - now) / dt;
}

}  // namespace crumple::constraints
