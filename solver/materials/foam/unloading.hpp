// Unloading of foams below the stress of their curves, by the work that was done on them.
//
// Below the largest work W_max done on a point its stress is 1 - d of the curve's,
//
//   d = (1 - HU) (1 - (W / W_max)^SHAPE)^EXPON
//
// (Kolling, Du Bois, Benson and Feng 2007, Comput. Mech. 40, p. 885, section 4, with EXPON = 1).
#pragma once

#include "materials/law.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct FoamUnloading {
  double loss = 0, shape = 1, exponent = 1;  ///< 1 - HU; 0: none
};

inline namespace CRUMPLE_ISA {

/// 1 - d.
template <class V>
[[gnu::always_inline]] inline V unloading_factor(const FoamUnloading& p, V work, V most) {
  const simd::mask_t<V> below = work < most;
  const V ratio = simd::max(work, V(0)) / simd::select(most > V(0), most, V(1));
  V damage = V(1) - (p.shape == 1 ? ratio : simd::pow(ratio, V(p.shape)));
  if (p.exponent != 1) damage = simd::pow(simd::max(damage, V(0)), V(p.exponent));
  return simd::select(below, V(1) - V(p.loss) * damage, V(1));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
