// MAT_030 (*MAT_SHAPE_MEMORY): superelastic alloys, whose austenite becomes martensite under stress and back
// (Auricchio, Taylor and Lubliner 1997, Comput. Methods Appl. Mech. Eng. 146, p. 281; Auricchio and Taylor
// 1997, ibid. 143, p. 175); in solids.
//
// With the strain's deviator e, its direction n = e / |e|, its volume v, the fraction x of martensite and the
// mean stress p,
//
//   s = 2 G (e - x l n) + K (v - 3 a x l) 1,   F = 2 G (|e| - x l) + 3 a p,   a = ALPHA,
//
// l = EPSL / (sqrt(2/3) + a): the axial strain of martensite in uniaxial tension is EPSL, our reading. There
// F is (sqrt(2/3) + a) times the stress; R are these values of SIG_ASS, SIG_ASF, SIG_SAS and SIG_SAF. Linear
// kinetics,
//
//   dx = (1 - x) dF / (R_ASF - F)    F > R_ASS grows        dx = x dF / (F - R_SAF)    F < R_SAS falls,
//
// whose integral over a step, 1 - x or x proportional to the distance of F from its final value, is solved
// with the F of the step's end. Moduli are those of E + x (YMRT - E) and PR, so the equation is quadratic;
// Newton's method solves it.
//
// The stable step is that of the stiffer phase. History: the strain, 6, x, F.
#pragma once

#include "materials/hooke.hpp"
#include "materials/tensors.hpp"

namespace crumple::materials {

struct ShapeMemoryLaw {
  ElasticLaw austenite;
  double bulk = 0;
  double stiffening = 0;                    ///< (YMRT - E) / E
  double alpha = 0, strain = 0;             ///< a, l
  double forward[2] = {}, reverse[2] = {};  ///< R, start and end
  double slope = 0;                         ///< -dF/dx with the moduli of austenite

  enum Variable { kStrain, kMartensite = 6, kLoading, kHistory };
};

inline namespace CRUMPLE_ISA {

/// F of a strain, whose F without martensite is `whole`.
template <class V>
V transformation_stress(const ShapeMemoryLaw& p, V whole, V x) {
  return (V(1) + V(p.stiffening) * x) * (whole - V(p.slope) * x);
}

/// x where `far` is `share` times the distance of F from `end`: far = 1 - x, or x with falls.
template <class V>
V transformed(const ShapeMemoryLaw& p, V whole, double end, V share, V before, bool falls) {
  const V sign(falls ? -1.0 : 1.0);
  V x = before;
  for (int n = 0; n < 6; ++n) {
    const V m = V(1) + V(p.stiffening) * x, left = whole - V(p.slope) * x;
    const V far = falls ? x : V(1) - x;
    const V excess = far - share * sign * (V(end) - m * left);
    const V slope = -sign + share * sign * (V(p.stiffening) * left - m * V(p.slope));
    x -= excess / slope;
  }
  return simd::min(simd::max(x, V(0)), V(1));
}

/// Martensite at the end of a step.
template <class V>
V martensite_after(const ShapeMemoryLaw& p, V whole, V before, V last) {
  const V now = transformation_stress(p, whole, before);
  const simd::mask_t<V> grows = now > V(p.forward[0]) && now > last && before < V(1);
  const simd::mask_t<V> falls = now < V(p.reverse[0]) && now < last && before > V(0);
  V x = before;
  if (simd::any(grows)) {
    const V to_end = V(p.forward[1]) - simd::max(last, V(p.forward[0]));
    const V share = (V(1) - before) / simd::max(to_end, V(1e-6 * p.forward[1]));
    x = simd::select(grows, simd::max(transformed(p, whole, p.forward[1], share, before, false), before), x);
  }
  if (simd::any(falls)) {
    const V to_end = simd::min(last, V(p.reverse[0])) - V(p.reverse[1]);
    const V share = before / simd::max(to_end, V(1e-6 * p.reverse[1]));
    x = simd::select(falls, simd::min(transformed(p, whole, p.reverse[1], share, before, true), before), x);
  }
  return x;
}

template <class V>
void update_solid(const ShapeMemoryLaw& p, SolidPoint<V>& point) {
  V e[6];
  load_history(point.history, e);
  if (point.rotation) rotate(point.rotation, e);
  for (int k = 0; k < 6; ++k) e[k] += k < 3 ? point.d[k] : V(0.5) * point.d[k];
  store_history(point.history, e);
  const V volume = e[0] + e[1] + e[2];
  for (int k = 0; k < 3; ++k) e[k] -= V(1.0 / 3) * volume;
  const V square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + V(2) * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
  const simd::mask_t<V> sheared = square > V(1e-30);
  const V size = simd::select(sheared, simd::sqrt(simd::select(sheared, square, V(1))), V(0));
  const V whole = V(2 * p.austenite.shear) * size + V(3 * p.alpha * p.bulk) * volume;
  const V before = point.history.template load<V>(p.kMartensite);
  const V x = martensite_after(p, whole, before, V(point.history.template load<V>(p.kLoading)));
  point.history.store(p.kMartensite, x);
  point.history.store(p.kLoading, transformation_stress(p, whole, x));
  const V stiff = V(1) + V(p.stiffening) * x, l = V(p.strain) * x;
  const V part = V(1) - simd::select(sheared, l / simd::select(sheared, size, V(1)), V(0));
  const V mean = stiff * V(p.bulk) * (volume - V(3 * p.alpha) * l);
  const V twice = stiff * V(2 * p.austenite.shear) * part;
  for (int k = 0; k < 6; ++k) point.s[k] = twice * e[k] + (k < 3 ? mean : V(0));
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/shape_memory_fields.hpp"
#endif

CRUMPLE_LAW(ShapeMemoryLaw, {.number = 30,
                             .keyword = "MAT_SHAPE_MEMORY",
                             .supports = {.solid = true},
                             .elastic_fields = true,
                             .cost = 3,
                             .prepare = prepare_shape_memory})
