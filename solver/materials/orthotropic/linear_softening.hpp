// Damage by which a stress falls along a straight line in its strain.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// d of a mode with r >= 1, the strain over that at its onset; `brittle` is 1 / r_f, where the stress is 0.
template <class V>
V softened(V r, V brittle) {
  const V one(1), room = simd::max(one - brittle, V(1e-6));
  return simd::min((one - one / r) / room, one);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
