// Powers with an exponent that all lanes share.
#pragma once

#include "simd/math.hpp"
#include "simd/vec.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// x^y for x from 0 on and a y that all lanes share.
template <class V>
V power(V x, double y) {
  using T = simd::scalar_t<V>;
  if (y == 1) return x;
  if (y == 2) return x * x;
  return simd::pow(simd::max(x, V(static_cast<T>(1e-30))), V(static_cast<T>(y)));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
