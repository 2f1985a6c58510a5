// One integration point of a solid: rotates its stress, calls the law, returns the work; stiffness damping.
#pragma once

#include "elements/kernel.hpp"
#include "elements/prefetch.hpp"
#include "elements/solid/kinematics.hpp"
#include "elements/solid/layout.hpp"
#include "materials/update.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Stress after the step, and other results for the element.
template <class V>
struct PointResult {
  V stress[6];
  V work;  ///< per volume: mean of the old (rotated) and new stress times d
  simd::mask_t<V> failed;
};

/// Update a point whose variables begin at `variables` (lane 0), stride kLanes. `rotation` is the rotation of
/// the step and `increment` that of strain in global axes.
template <class V>
void update_point(const GroupParameters& group, simd::scalar_t<V>* variables, const V (&rotation)[3][3],
                  const V (&increment)[6], V dt, V volume_ratio, PointResult<V>& result) {
  using T = simd::scalar_t<V>;
  materials::SolidPoint<V> point;
  V d[6];
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) d[k] = increment[k];
  if (group.turns_far) turn_to_end(rotation, d);
  prefetch_rows<simd::width_v<V>>(variables + solid::n_variables(group) * kLanes, solid::point_stride(group));
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    point.d[k] = d[k];
    point.s[k] = simd::load<V>(variables + k * kLanes);
  }
  rotate_symmetric(rotation, point.s);
  point.plastic_strain = simd::load<V>(variables + 6 * kLanes);
  point.history = {variables + solid::kHistory * kLanes, kLanes};
  point.dt = dt;
  V turned[3][3];  // a copy, so that the rotation is stored only where a law needs it
  if (group.n_history > 0) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turned[i][j] = rotation[i][j];
    point.rotation = turned;
  }
  point.volume_ratio = volume_ratio;
  V work = V(static_cast<T>(0));
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) work += point.s[k] * d[k];
  materials::update_solid(group.law, point);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    work += point.s[k] * d[k];
    result.stress[k] = point.s[k];
    simd::store(variables + k * kLanes, point.s[k]);
  }
  simd::store(variables + 6 * kLanes, point.plastic_strain);
  result.work = V(static_cast<T>(0.5)) * work;
  result.failed = point.failed;
}

/// Add to `s` the viscous stress of stiffness damping at the strain increment d, `rate` is its time over the
/// time step. Returns the dissipated energy per volume.
template <class V>
V add_stiffness_damping(const GroupParameters& group, V rate, const V (&d)[6], V (&s)[6]) {
  using T = simd::scalar_t<V>;
  const V shear = V(static_cast<T>(group.shear)) * rate;
  const V mean = V(static_cast<T>(group.bulk - 2.0 / 3.0 * group.shear)) * rate * (d[0] + d[1] + d[2]);
  V taken = V(0);
  for (int k = 0; k < 6; ++k) {
    const V viscous = k < 3 ? mean + V(2) * shear * d[k] : shear * d[k];
    s[k] += viscous;
    taken += viscous * d[k];
  }
  return taken;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
