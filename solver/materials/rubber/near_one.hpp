// Logarithms and powers of numbers near one by their distance from one, which keep their digits at small
// strain.
//
// With u the rounded 1 + x, log(1 + x) = log(u) x / (u - 1), and with u the rounded exp(x), exp(x) - 1 = (u -
// 1) x / log(u), to rounding (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 1.14.1,
// after Kahan).
#pragma once

#include "materials/law.hpp"
#include "simd/math.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// log(1 + x), x > -1.
template <class V>
[[gnu::always_inline]] inline V log_near_one(const V& x) {
  if constexpr (simd::is_dual_v<V>) {
    return x.chain(log_near_one(x.value), 1 / (1 + x.value));
  } else {
    const V u = V(1) + x, rounded = u - V(1);
    const simd::mask_t<V> same = rounded == V(0);
    return simd::select(same, x, simd::log(u) * x / simd::select(same, V(1), rounded));
  }
}

/// exp(x) - 1.
template <class V>
[[gnu::always_inline]] inline V exp_less_one(const V& x) {
  if constexpr (simd::is_dual_v<V>) {
    const auto f = exp_less_one(x.value);
    return x.chain(f, f + 1);
  } else {
    const V u = simd::exp(x), logarithm = simd::log(u);
    const simd::mask_t<V> same = u == V(1), gone = u < V(0.1);
    const V inverse = simd::select(same || gone, V(1), logarithm);
    return simd::select(gone, u - V(1), simd::select(same, x, (u - V(1)) * x / inverse));
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
