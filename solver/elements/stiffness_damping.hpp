// Damping in proportion to an element's stiffness (*DAMPING_PART_STIFFNESS).
//
// A viscous stress b C : D is added to the law's, with C the initial elastic stiffness. This is Rayleigh's
// stiffness damping. Its fraction of critical damping at the circular frequency w is b w / 2. A COEF < 0 is
// -b. A COEF > 0 is the fraction at the element's own highest frequency 2 / dt, so b = COEF dt, with dt the
// element's stable step without damping: high frequencies, which are noise of the mesh, are damped at that
// fraction; an element that is n times as long damps a given frequency n times as much. (LS-DYNA does not
// publish its own formulation, and calls COEF an approximate fraction of critical damping at high
// frequencies.)
//
// The stress lags half a step behind, which is stable for steps up to 2 / w (sqrt(1 + x^2) - x) with the
// fraction x at the highest frequency (Belytschko, Liu and Moran 2000, section 6.6): this is the element's
// step. The energy of this stress is counted separately. It is not part of the law's stress: plastic flow
// does not limit it.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Damping of elements whose step without damping is `step`.
template <class V>
struct StiffnessDamping {
  V time;      ///< b
  V fraction;  ///< of critical damping at the highest frequency

  StiffnessDamping(const GroupParameters& group, V step) {
    using T = simd::scalar_t<V>;
    const double coefficient = group.stiffness_damping;
    if (coefficient >= 0) {
      fraction = V(static_cast<T>(coefficient));
      time = fraction * step;
    } else {
      time = V(static_cast<T>(-coefficient));
      fraction = time / step;
    }
  }

  V shorter(V step) const { return step * (simd::sqrt(V(1) + fraction * fraction) - fraction); }
};

/// The stable step with damping, from that without.
template <class V>
V damped_step(const GroupParameters& group, V step) {
  return group.stiffness_damping == 0 ? step : StiffnessDamping<V>(group, step).shorter(step);
}

/// b over the time step, by which strain increments become viscous stresses; 0 without damping.
template <class V>
V damping_per_step(const GroupParameters& group, V step, double dt) {
  using T = simd::scalar_t<V>;
  if (group.stiffness_damping == 0 || dt == 0) return V(0);
  return StiffnessDamping<V>(group, step).time * V(static_cast<T>(1 / dt));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
