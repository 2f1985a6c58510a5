// Axes of accelerometers: of the triad's nodes at the time of the output, as it turns with its body.
#include "output/accelerometer/local_axes.hpp"

#include <algorithm>

#include "loads/body/body_load.hpp"
#include "loads/load_curve.hpp"

namespace crumple::output {

std::array<Vec3, 3> triad(const Vec3& first, const Vec3& second, const Vec3& third) {
  const Vec3 along = second - first, normal = cross(along, third - first);
  const Vec3 x = (1.0 / norm(along)) * along, z = (1.0 / norm(normal)) * normal;
  return {x, cross(z, x), z};
}

NodoutRow in_axes(const NodoutRow& row, const std::array<Vec3, 3>& axes) {
  const auto local = [&](const Vec3& v) { return Vec3{dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)}; };
  NodoutRow out = row;
  out.displacement = local(row.displacement);
  out.velocity = local(row.velocity);
  out.acceleration = local(row.acceleration);
  out.rotation = local(row.rotation);
  out.angular_velocity = local(row.angular_velocity);
  out.angular_acceleration = local(row.angular_acceleration);
  return out;
}

Vec3 removed_gravity(const model::Model& model, const Accelerometer& accelerometer, double time) {
  Vec3 sum;
  if (accelerometer.without_gravity == 0) return sum;
  for (const loads::BodyLoad& load : model.features.of<loads::BodyLoad>()) {
    if (load.axis > 2 || (accelerometer.without_gravity >> load.axis & 1) == 0) continue;
    const bool acts = load.on_all() || std::ranges::any_of(accelerometer.parts, [&](LocalId part) {
                        return std::ranges::find(load.parts, part) != load.parts.end();
                      });
    // The base is accelerated, so the inertial acceleration is the opposite.
    if (acts)
      sum[load.axis] -= load.scale * loads::load_value(model, load.curve, time, model::Stage::transient);
  }
  return sum;
}

}  // namespace crumple::output
