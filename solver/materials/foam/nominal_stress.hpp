// Nominal stresses of foam in the principal directions: by its curve in compression, elastic up to a limit in
// tension, less when it unloads or has torn.
#pragma once

#include "materials/foam/foam_curves.hpp"
#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

template <class V>
struct NominalStress {
  V stretch[3], stress[3], slope[3];  ///< slope over the nominal strain
  simd::mask_t<V> pressed[3];
  V work = V(0);  ///< of compression
  V pull = V(0);  ///< the largest tension, without its limit
};

/// The nominal strain of direction `i`; `value` is the principal value of b - 1.
template <class V>
[[gnu::always_inline]] inline V stretch_direction(NominalStress<V>& of, int i, V value) {
  of.stretch[i] = simd::sqrt(V(1) + value);
  const V strain = value / (V(1) + of.stretch[i]);
  of.pressed[i] = strain < V(0);
  return strain;
}

/// `foam` acts in compression, else `elastic`, whose slope is `modulus`, up to `limit`.
template <class V>
[[gnu::always_inline]] inline void load_direction(NominalStress<V>& of, int i, const FoamStress<V>& foam,
                                                  V elastic, V modulus, V limit) {
  of.work += simd::select(of.pressed[i], foam.work, V(0));
  of.pull = simd::max(of.pull, elastic);
  of.stress[i] = simd::select(of.pressed[i], -foam.stress, simd::min(elastic, limit));
  of.slope[i] = simd::select(of.pressed[i], foam.slope, simd::select(elastic < limit, modulus, V(0)));
}

/// Compression has only `factor` of its stress.
template <class V>
[[gnu::always_inline]] inline void unload(NominalStress<V>& of, V factor) {
  for (int i = 0; i < 3; ++i) {
    of.stress[i] *= simd::select(of.pressed[i], factor, V(1));
    of.slope[i] *= simd::select(of.pressed[i], factor, V(1));
  }
}

/// A point that has reached `limit` pulls in no direction any more; `torn` is its history variable, 0 or 1.
template <class V>
[[gnu::always_inline]] inline void tear(NominalStress<V>& of, const SolidPoint<V>& point, int torn, V limit) {
  const V now = simd::select(of.pull >= limit, V(1), point.history.template load<V>(torn));
  point.history.store(torn, now);
  for (int i = 0; i < 3; ++i) {
    of.stress[i] = simd::select(now > V(0), simd::min(of.stress[i], V(0)), of.stress[i]);
    of.slope[i] = simd::select(now > V(0) && !of.pressed[i], V(0), of.slope[i]);
  }
}

/// Makes them Cauchy stresses t l / J, and the slopes those over b.
template <class V>
[[gnu::always_inline]] inline void make_cauchy(NominalStress<V>& of, V volume) {
  for (int i = 0; i < 3; ++i) {
    of.slope[i] = (of.stress[i] / of.stretch[i] + of.slope[i]) / (V(2) * volume);
    of.stress[i] *= of.stretch[i] / volume;
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
