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

#include <cmath>

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
  constexpr int kind[5] = {0, 0, 1, 1, 2};
  HourglassModes<V> stress;
  work = V(0);
  if (g.hourglass.type >= 4) {
    const V t3 = thickness * thickness * thickness;
    const V stiffness[3] = {V(g.hourglass.qm * g.young / 8) * thickness * area * bb * dt,
                            V(g.hourglass.qb * g.young / 192) * t3 * area * bb * dt,
                            V(g.hourglass.qw * g.shear_factor * g.shear / 12) * t3 * bb * dt};
    for (int m = 0; m < 5; ++m) {
      const V before = simd::load<V>(state + m * kLanes);
      stress.q[m] = before + stiffness[kind[m]] * rate.q[m];
      work += V(0.5) * dt * (before + stress.q[m]) * rate.q[m];
      simd::store(state + m * kLanes, stress.q[m]);
    }
  } else {
    // Half the root of stiffness times inertia: that of a mass m = rho A t for membrane and warping, of m r^2
    // for bending, r^2 = max(t^2 / 12, A / 8).
    const V impedance = simd::positive_sqrt(V(g.young * g.density) * bb),
            root_area = simd::positive_sqrt(area);
    const V radius = simd::max(thickness * V(std::sqrt(1.0 / 12)), root_area * V(std::sqrt(0.125)));
    const V t_impedance = thickness * impedance, t2_impedance = thickness * t_impedance;
    const double shear_over_young = g.shear_factor * g.shear / g.young;
    const V viscosity[3] = {
        V(0.5 * std::sqrt(1.0 / 8) * g.hourglass.qm) * area * t_impedance,
        V(0.5 * std::sqrt(1.0 / 192) * g.hourglass.qb) * area * t2_impedance * radius,
        V(0.5 * std::sqrt(shear_over_young / 12) * g.hourglass.qw) * root_area * t2_impedance};
    for (int m = 0; m < 5; ++m) {
      stress.q[m] = viscosity[kind[m]] * rate.q[m];
      work += dt * stress.q[m] * rate.q[m];
    }
  }
  return stress;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
