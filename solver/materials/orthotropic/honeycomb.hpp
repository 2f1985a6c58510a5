// MAT_026 (*MAT_HONEYCOMB): honeycomb that crushes along three axes, each stress by itself, until it is
// compacted; in solids.
//
// Hallquist (2006), LS-DYNA Theory Manual, material 26. Along axes a, b, c that turn with the material,
// before compaction,
//
//   s_aa = E_aa e_aa, ..., s_ab = G_ab gamma_ab, ...,   each at most lambda times the yield stress of its
//   curve
//
// in size, without coupling. The moduli grow with the compaction from those of the cards to those of the
// compacted material,
//
//   E_aa = EAAU + beta (E - EAAU), G_ab = GABU + beta (G - GABU), ...,
//   beta = (1 - V_min) / (1 - VF) between 0 and 1,
//
// V_min the smallest relative volume so far: unloading is as stiff as the crushed state. At V <= VF the
// material is isotropic, elastic and ideally plastic by von Mises with SIGY, from the stress that it then has
// (radial return, Wilkins 1964). When it opens again beyond VF, its curves limit the stresses again.
//
// Curves over the volumetric strain 1 - V begin at 0 or below, others are over V itself. They are extended
// straight, but do not fall beyond their end, and yield stresses are never negative. In MAT_126 they are over
// the logarithmic strain of each axis, positive in compression, and over the size of the shear gamma.
//
// lambda is LCSR at the rate sqrt(2/3 e':e') of the deviatoric strain; or, in MAT_126 with LCSR = -1, for
// each component its own curve over the natural logarithm of the rate of its deviatoric strain. Beyond its
// ends it is constant.
//
// A point has failed when the logarithmic strain of an axis exceeds TSEF, or a shear gamma, in size, SSEF.
//
// The stable step is that of the stiffest state: compacted, or with the largest modulus of the cards.
//
// History: the axes; strains along them, aa bb cc ab bc ca; 1 - V_min; whether the point has failed.
#pragma once

#include "materials/hooke.hpp"
#include "materials/orthotropic/turning_axes.hpp"
#include "materials/plasticity/bounded_curve.hpp"

namespace crumple::materials {

/// A curve of a yield stress; none where it has no curves.
struct HoneycombLaw {
  ElasticLaw compacted;
  double yield = 0;     ///< of the compacted material
  double crushed = 1;   ///< 1 - VF
  double modulus[6];    ///< aa bb cc ab bc ca, at first
  FlowCurves curve[6];  ///< yield stresses
  bool by_strain = false;
  FlowCurves rate;  ///< of all stresses
  FlowCurves own_rate[6];
  double tension = 0, shear = 0;  ///< strains at failure, 0: none

  static constexpr int kStrain = kSolidAxes, kCrushed = kSolidAxes + 6, kFailed = kSolidAxes + 7;
  static constexpr int kHistory = kSolidAxes + 8;
};

inline namespace CRUMPLE_ISA {

/// A yield stress: the curve, extended straight.
template <class V>
V honeycomb_yield(const FlowCurves& c, V x) {
  const Segment<V> segment = find_segment(c, x);
  const Line<V> line = line_of(c, V(0), segment);
  return simd::max(line.value + line.slope * (x - segment.begin), V(0));
}

/// Factors of the yield stresses at the strain rates of a step.
template <class V>
void rate_factors(const HoneycombLaw& p, const V (&d)[6], V dt, V (&factor)[6]) {
  const V per_time = simd::select(dt > V(0), V(1) / simd::select(dt > V(0), dt, V(1)), V(0));
  const V mean = V(1.0 / 3) * (d[0] + d[1] + d[2]), tiny(1e-30);
  V e[6];
  for (int k = 0; k < 6; ++k) e[k] = k < 3 ? d[k] - mean : V(0.5) * d[k];
  V all = V(1);
  if (p.rate.n_curves > 0) {
    const V square =
        e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + V(2) * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
    all = bounded_curve(p.rate, simd::sqrt(simd::max(V(2.0 / 3) * square, tiny)) * per_time).value;
  }
  for (int k = 0; k < 6; ++k) {
    factor[k] = all;
    if (p.own_rate[k].n_curves == 0) continue;
    const V rate = simd::max(simd::max(e[k], -e[k]) * per_time, tiny);
    factor[k] *= bounded_curve(p.own_rate[k], simd::log(rate)).value;
  }
}

/// s + C d of the compacted material, returned to its yield surface.
template <class V>
void compacted_stress(const HoneycombLaw& p, const V (&d)[6], V (&s)[6]) {
  add_elastic_solid(p.compacted, d, s);
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
  for (int k = 0; k < 3; ++k) s[k] -= mean;
  const V square =
      V(1.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const V limit(p.yield * p.yield);
  const V factor = simd::sqrt(simd::min(limit / simd::max(square, V(1e-30)), V(1)));
  for (V& of : s) of *= factor;
  for (int k = 0; k < 3; ++k) s[k] += mean;
}

/// s + E d of each component, within its yield stress.
template <class V>
void crushing_stress(const HoneycombLaw& p, const V (&d)[6], const V (&abscissa)[6], V beta,
                     const V (&factor)[6], V (&s)[6]) {
  for (int k = 0; k < 6; ++k) {
    const double end = k < 3 ? p.compacted.young : p.compacted.shear;
    const V modulus = V(p.modulus[k]) + beta * V(end - p.modulus[k]);
    const V yield = factor[k] * honeycomb_yield(p.curve[k], abscissa[k]);
    s[k] = simd::min(simd::max(s[k] + modulus * d[k], -yield), yield);
  }
}

/// Adds a step to the strains along the axes; whether they are beyond a limit, now or before.
template <class V>
simd::mask_t<V> strain_honeycomb(const HoneycombLaw& p, const SolidPoint<V>& point, const V (&d)[6],
                                 V (&strain)[6]) {
  V pull = V(-1e20), slide = V(0);
  for (int k = 0; k < 6; ++k) {
    strain[k] = point.history.template load<V>(p.kStrain + k) + d[k];
    point.history.store(p.kStrain + k, strain[k]);
    if (k < 3)
      pull = simd::max(pull, strain[k]);
    else
      slide = simd::max(slide, simd::max(strain[k], -strain[k]));
  }
  const V before = point.history.template load<V>(p.kFailed);
  auto gone = before > V(0);
  if (p.tension > 0) gone = gone || pull > V(p.tension);
  if (p.shear > 0) gone = gone || slide > V(p.shear);
  point.history.store(p.kFailed, simd::select(gone, V(1), before));
  return gone;
}

template <class V>
void update_solid(const HoneycombLaw& p, SolidPoint<V>& point) {
  const V zero(0), one(1);
  const V pressed = one - simd::select(point.volume_ratio > zero, point.volume_ratio, one);
  const V most = simd::max(point.history.template load<V>(p.kCrushed), pressed);
  point.history.store(p.kCrushed, most);
  const V beta = simd::min(most * V(1 / p.crushed), one);
  simd::mask_t<V> gone = never(zero);
  along_turning_axes(point, [&](V(&d)[6], V(&s)[6]) {
    V strain[6], abscissa[6], factor[6], whole[6];
    gone = strain_honeycomb(p, point, d, strain);
    for (int k = 0; k < 6; ++k) {
      const V size = k < 3 ? -strain[k] : simd::max(strain[k], -strain[k]);
      abscissa[k] = p.by_strain ? size : pressed;
      whole[k] = s[k];
    }
    rate_factors(p, d, point.dt, factor);
    crushing_stress(p, d, abscissa, beta, factor, s);
    const auto compacted = pressed >= V(p.crushed);
    if (!simd::any(compacted)) return;
    compacted_stress(p, d, whole);
    for (int k = 0; k < 6; ++k) s[k] = simd::select(compacted, whole[k], s[k]);
  });
  for (V& of : point.s) of = simd::select(gone, zero, of);
  point.failed = gone;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/orthotropic/honeycomb_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_honeycomb_26(const model::Model& model, const model::Material& material) {
  return prepare_honeycomb(model, material, false);
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HoneycombLaw, {.number = 26,
                           .keyword = "MAT_HONEYCOMB",
                           .supports = {.solid = true},
                           .needs = {.material_axes = true},
                           .elastic_fields = true,
                           .cost = 4,
                           .prepare = prepare_honeycomb_26})
