// Hourglass control of one-point quadrilateral shells: viscous or stiffness form.
//
// The stiffness form is that of Belytschko, Lin and Tsay (1984), eqs. 21-26 (also Flanagan and Belytschko
// 1981, and LS-DYNA's types 4 and 5; 6 and up are taken as 4, too): rates of generalised hourglass stress
//   membrane  QM E t A BB / 8,   bending  QB E t^3 A BB / 192,   warping  QW kappa G t^3 BB / 12
// times the generalised hourglass velocity, with BB = B_iI B_iI. The viscous form (types 1 to 3) damps
// each mode at QM, QB or QW of the critical damping of an oscillator made of that stiffness with a unit
// coefficient and the mode's own inertia; for a square membrane this is QM rho c t sqrt(A) / 4, the plane
// counterpart of the form used for solids.
//
// The warping stiffness does not vanish with the mesh: a constant twist w = xy is a warping mode of every
// element, and QW adds kappa QW / 2 to the plate's twisting stiffness (2 % at 0.05, 4 % at 0.1).
#pragma once

#include "elements/kernel.hpp"
#include "elements/shell/state.hpp"
#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

using simd::scalar_t;

/// Generalised hourglass velocities or stresses: membrane x, y, bending x, y, warping.
template <class V>
struct HourglassModes {
  V q[5];
};

/// Stresses of the hourglass modes for the given velocities; `work` is their work in this step.
/// `state` is this sub-block's lane of variable kHourglass, kept by the stiffness form only.
template <class V>
inline HourglassModes<V> hourglass_stress(const GroupParameters& g, scalar_t<V>* state, V area, V thickness,
                                          V bb, const HourglassModes<V>& rate, V dt, V& work) {
  const V t3 = thickness * thickness * thickness;
  V stiffness[3] = {V(g.young / 8) * thickness * area * bb, V(g.young / 192) * t3 * area * bb,
                    V(g.shear_factor * g.shear / 12) * t3 * bb};
  constexpr int kind[5] = {0, 0, 1, 1, 2};
  const V coefficient[3] = {V(g.hourglass.qm), V(g.hourglass.qb), V(g.hourglass.qw)};
  HourglassModes<V> stress;
  work = V(0);
  if (g.hourglass.type >= 4) {
    for (int k = 0; k < 3; ++k) stiffness[k] *= coefficient[k] * dt;
    for (int m = 0; m < 5; ++m) {
      const V before = simd::load<V>(state + m * kLanes);
      stress.q[m] = before + stiffness[kind[m]] * rate.q[m];
      work += V(0.5) * dt * (before + stress.q[m]) * rate.q[m];
      simd::store(state + m * kLanes, stress.q[m]);
    }
  } else {
    const V mass = V(g.density) * area * thickness;
    const V turning = mass * rotary_radius2(area, thickness);
    const V inertia[3] = {mass, turning, mass};
    V viscosity[3];
    for (int k = 0; k < 3; ++k)
      viscosity[k] = V(0.5) * coefficient[k] * simd::sqrt(stiffness[k] * inertia[k]);
    for (int m = 0; m < 5; ++m) {
      stress.q[m] = viscosity[kind[m]] * rate.q[m];
      work += dt * stress.q[m] * rate.q[m];
    }
  }
  return stress;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
