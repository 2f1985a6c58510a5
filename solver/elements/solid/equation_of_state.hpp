// What solids with an equation of state do beyond others: the speed of sound and the stable step follow the
// pressure's present stiffness, and the energy equation has the bulk viscosity.
//
// An element exchanges these with the law by the first history variables of each point
// (materials/eos/hydro_history.hpp). Stiffness is that at the end of the last step for the bulk viscosity, at
// the end of this one for the stable step.
#pragma once

#include "elements/solid/layout.hpp"
#include "elements/solid/viscosity.hpp"
#include "materials/eos/hydro_history.hpp"

namespace crumple::elements {

/// Whether the group's law has one.
inline bool has_equation_of_state(const GroupParameters& group) { return group.law.row->needs.energy; }

inline namespace CRUMPLE_ISA {

/// The largest value of a variable of the law's history among the points.
template <class V>
V largest_of_points(const GroupParameters& group, const simd::scalar_t<V>* points, int variable) {
  const simd::scalar_t<V>* at = points + (solid::kHistory + variable) * kLanes;
  V most = simd::load<V>(at);
  for (int p = 1; p < group.n_points; ++p)
    most = simd::max(most, simd::load<V>(at + p * solid::point_stride(group) * kLanes));
  return most;
}

/// Gives all points the mean viscous pressure of the step.
template <class V>
void give_viscous_pressure(const GroupParameters& group, V pressure, simd::scalar_t<V>* points) {
  for (int p = 0; p < group.n_points; ++p)
    simd::store(
        points + (p * solid::point_stride(group) + solid::kHistory + materials::kViscousPressure) * kLanes,
        pressure);
}

/// As sound_speed, with the bulk modulus `stiffening` above that at rest.
template <class V>
SoundSpeed<V> sound_speed_of_state(const GroupParameters& group, V stiffening, V ratio, V inverse_ratio) {
  using T = simd::scalar_t<V>;
  const V density = V(static_cast<T>(group.density)) * inverse_ratio;
  const V modulus = V(static_cast<T>(group.bulk + 4.0 / 3.0 * group.shear)) + stiffening;
  return {density, simd::sqrt(modulus * V(static_cast<T>(1 / group.density)) * ratio)};
}

/// As step_geometry, likewise.
template <int N, class V>
StepGeometry<V> step_geometry_of_state(const GroupParameters& group, V stiffening, V area_squared,
                                       const V (&g)[6], V inverse) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const V bulk = constant(group.bulk) + stiffening, twice_shear = constant(2 * group.shear);
  const V per_modulus = simd::inverse(bulk + constant(4.0 / 3.0 * group.shear));
  const V lambda = simd::max(bulk - constant(2.0 / 3.0 * group.shear), constant(0)) * per_modulus;
  const V shear = twice_shear * per_modulus;
  return step_geometry_of<N>(lambda + shear, constant(4.0 / 9.0) * lambda * lambda,
                             constant(2.0 / 3.0) * shear * (shear + constant(2) * lambda), area_squared, g,
                             inverse);
}

/// As solid_stable_step, with the law's own viscosity at its present density.
template <class V>
V stable_step_of_state(const GroupParameters& group, const SoundSpeed<V>& c, const StepGeometry<V>& shape,
                       V length, V rate, V dynamic_viscosity) {
  const V step = solid_stable_step(group, c, shape, length, rate);
  const V q = dynamic_viscosity * shape.damping / c.density;
  // 1 / step solves x^2 - 2 q0 x = (c / L)^2, with q0 for the other viscosities.
  const V frequency = simd::inverse(step), square = shape.steepness * c.speed * c.speed;
  const V all = q + V(static_cast<simd::scalar_t<V>>(0.5)) * (frequency - square * step);
  return simd::inverse(all + simd::sqrt(all * all + square));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
