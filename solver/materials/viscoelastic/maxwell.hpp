// Maxwell elements, springs in series with dampers, of which relaxation functions sum G_i exp(-b_i t) are
// made.
//
// The stress h of one obeys h' = G e' - b h. For a constant strain rate over the step its solution is
//
//   h(t + dt) = exp(-b dt) h(t) + G (1 - exp(-b dt)) / (b dt) de
//
// (Taylor, Pister and Goudreau 1970, "Thermomechanical analysis of viscoelastic solids", eq. 24), which is
// exact and stable for any dt. In tensors h is kept in the axes of the step's end: it turns with the
// material. All is inlined always, as in tensors.hpp.
#pragma once

#include "materials/tensors.hpp"
#include "simd/math.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// What is left after a step, and the part of the step's strain that acts.
template <class V>
struct Decay {
  V left, share;
};

/// (1 - exp(-x)) / x loses its digits at small x, where its series is taken.
template <class V>
[[gnu::always_inline]] inline Decay<V> decay_in(V dt, double rate) {
  const V x = V(rate) * dt, left = simd::exp(-x);
  V series = V(1);
  for (int k = 10; k >= 2; --k) series = V(1) - series * x * V(1.0 / k);
  const simd::mask_t<V> small = x < V(0.1);
  return {left, simd::select(small, series, (V(1) - left) / simd::select(small, V(1), x))};
}

/// Turn and load the tensor of history variables `first` to `first` + 5, and let it decay; then
/// `add` (its modulus times the strain increment, once in shears) acts. Stores and returns it in h.
template <class V>
[[gnu::always_inline]] inline void update_maxwell(const SolidPoint<V>& point, int first,
                                                  const Decay<V>& decay, const V (&add)[6], V (&h)[6]) {
  for (int k = 0; k < 6; ++k) h[k] = point.history.template load<V>(first + k);
  if (point.rotation) rotate(point.rotation, h);
  for (int k = 0; k < 6; ++k) {
    h[k] = decay.left * h[k] + decay.share * add[k];
    point.history.store(first + k, h[k]);
  }
}

/// Strain increment less its mean; shears are the tensor's.
template <class V>
[[gnu::always_inline]] inline void deviatoric_increment(const V (&d)[6], V (&e)[6]) {
  const V mean = V(1.0 / 3.0) * (d[0] + d[1] + d[2]);
  for (int k = 0; k < 6; ++k) e[k] = k < 3 ? d[k] - mean : V(0.5) * d[k];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
