// Hourglass control of one-point quadrilateral shells: viscous or stiffness form.
//
// The stiffness form (types 4 and 5; types from 6 on are treated as 4) has the constants of Belytschko, Lin
// and Tsay (1984), eqs. 21-26: rates of generalised hourglass stress
//   membrane  QM E t A BB / 8,   bending  QB E t^3 A BB / 192,   warping  QW kappa G t^3 BB / 12
// times the generalised hourglass velocity, with BB = B_iI B_iI. That velocity is the coefficient of xi eta
// in the bilinear field, gamma_I v_I with gamma_I = (h_I - (h_J x_jJ) B_jI) / 4 (Belytschko and Bachrach
// 1986; Belytschko, Liu and Moran 2000, section 8.7). The rest of the kernel uses 4 gamma_I, whose terms are
// +-1, so the constants here contain the factor 1 / 16. LS-DYNA's theory manual prints gamma without the 1/4.
// Then the usual QM of 0.05 to 0.1 would give 15 to 30 % of the exact stiffness of in-plane bending, not the
// slight stiffening that its users report. docs/hourglass.md has the figures of every type.
//
// The stress is elastic; yield does not limit it. At QM = 0.1 the membrane mode of a square reaches the force
// of full plasticity, yield t sqrt(A), when the strain of the sides is 8 / QM = 80 yield strains.
//
// The viscous form (types 1 to 3) damps each mode with the fraction QM, QB or QW of critical damping. The
// critical damping is that of an oscillator with the mode's inertia and 16 times the stiffness above at unit
// coefficient. For the membrane this is the element's stiffest motion, with the frequency sqrt(2 E BB / rho).
// For a square membrane this is QM rho c t sqrt(A) / 4 times the sum of +-1, the plane form of the one used
// for solids.
//
// The warping stiffness does not vanish when the mesh is refined: a constant twist w = xy is a warping mode
// of every element, and QW adds kappa QW / 32 to the plate's twisting stiffness (0.3 % at 0.1).
#pragma once

#include <cmath>

#include "elements/element.hpp"
#include "elements/shell/state.hpp"
#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

using simd::scalar_t;

/// Generalised hourglass velocities or stresses, conjugate to 4 gamma: membrane x, y, bending x, y, warping.
template <class V>
struct HourglassModes {
  V q[5];
};

/// Stresses of the hourglass modes for the given velocities; `work` is their work in this step.
/// The stiffness form keeps them in the state, from kHourglass.
template <class V>
inline HourglassModes<V> hourglass_stress(const GroupParameters& g, const StateBefore<V>& state,
                                          const StateAfter<V>& after, V area, V thickness, V bb,
                                          const HourglassModes<V>& rate, V dt, V& work) {
  constexpr int kind[5] = {0, 0, 1, 1, 2};
  HourglassModes<V> stress;
  work = V(0);
  if (g.hourglass.type >= 4) {
    const V t3 = thickness * thickness * thickness;
    constexpr double kGamma = 1.0 / 16;  // gamma's factor 1/4, in velocity and force
    const V stiffness[3] = {V(kGamma / 8 * g.hourglass.qm * g.young) * thickness * area * bb * dt,
                            V(kGamma / 192 * g.hourglass.qb * g.young) * t3 * area * bb * dt,
                            V(kGamma / 12 * g.hourglass.qw * g.shear_factor * g.shear) * t3 * bb * dt};
    for (int m = 0; m < 5; ++m) {
      const V before = state.load(kHourglass + m);
      stress.q[m] = before + stiffness[kind[m]] * rate.q[m];
      work += V(0.5) * dt * (before + stress.q[m]) * rate.q[m];
      after.store(kHourglass + m, stress.q[m]);
    }
  } else {
    // Half the root of stiffness times inertia. The inertia is the mass m = rho A t for membrane and warping,
    // m r^2 for bending, r^2 = max(t^2 / 12, A / 8).
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
