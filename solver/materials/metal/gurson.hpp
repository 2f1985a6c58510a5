// MAT_120 (*MAT_GURSON): porous metals by Gurson, Tvergaard and Needleman, in solids and shells.
//
//   (q / k)^2 + 2 q1 f* cosh(1.5 q2 m / k) - 1 - (q1 f*)^2 = 0     (porous_return.hpp)
//   f* = f up to FC, then FC + (1 / q1 - FC) / (FF - FC) (f - FC)   (Tvergaard and Needleman 1984, eq. 5)
//   df = (1 - f) dv + A dp                                          v: plastic strain of the volume
//   A = FN / (SN sqrt(2 pi)) exp(-((p - EN) / SN)^2 / 2)            (Chu and Needleman 1980)
//
// p is the plastic strain of the metal between the voids, (1 - f) k dp = s : de. It is the plastic strain of
// the point. k is its flow stress: ATYP = 1 SIGY (1 + p E / SIGY)^(1 / N); 2 SIGY + E ETAN / (E - ETAN) p; 3
// EPS1-8 and ES1-8; or the curve LCSS.
//
// f and f* of the surface are those of the beginning of a step, so that its return has one solution; then f
// grows by (1 - f) (1 - exp(-dv)), the exact result of its dv, and by A of the middle of the step. VGTYP: 0 f
// does not fall below F0, 1 voids do not close, 2 they close to 0. The elastic constants are those without
// voids. A point fails at f = FF; NUMINT of them delete a shell. FF, and F0, FC and FN may be curves over the
// size of the element (shells: root of the area; solids: cube root of the volume). In plane stress transverse
// shear contributes to q.
//
// History: the size of the element, f - F0, f*, triaxiality. State: p.
#pragma once

#include "materials/plasticity/formula_flow.hpp"
#include "materials/plasticity/porous_return.hpp"
#include "materials/wrappers/tabulated.hpp"

namespace crumple::materials {

namespace gurson_variable {
enum GursonVariable { size, growth, effective, triaxiality, count };
}

/// Parameters of MAT_120.
struct GursonLaw : FormulaLaw {
  double q1 = 1.5, q2 = 1;
  Tabulated first, critical, nucleating, last;  ///< F0, FC, FN, FF over the size
  double mean_strain = 0, deviation = 0;        ///< EN, SN
  int growth_type = 0;                          ///< VGTYP
};

inline namespace CRUMPLE_ISA {

/// The voids of a point at the beginning of a step.
template <class V>
struct Voids {
  V first, critical, last, fraction, effective;
  simd::mask_t<V> failed;
};

template <class V>
Voids<V> voids_of(const GursonLaw& law, const History<simd::scalar_t<V>>& history) {
  const V size = history.template load<V>(gurson_variable::size), none(0);
  Voids<V> of{value_of(law.first, size, none),
              value_of(law.critical, size, none),
              value_of(law.last, size, none),
              V(0),
              V(0),
              never(size)};
  of.fraction = of.first + history.template load<V>(gurson_variable::growth);
  const V steep = (V(1 / law.q1) - of.critical) / simd::max(of.last - of.critical, V(1e-6));
  const V beyond = simd::max(of.fraction - of.critical, V(0));
  of.effective = simd::min(of.fraction, of.critical) + steep * beyond;
  of.failed = of.fraction >= of.last;
  return of;
}

/// q1 f*, kept from 0 and 1, where the surface has no derivatives or no size.
template <class V>
V effective_voids(const GursonLaw& law, const Voids<V>& of) {
  return simd::min(simd::max(V(law.q1) * of.effective, V(1e-12)), V(0.999));
}

/// Void volume after flow that gave the volume `dv` and the plastic strain `dp`.
template <class V>
V grown_voids(const GursonLaw& law, const Voids<V>& of, V nucleating, V p, V dv, V dp) {
  V grown = (V(1) - of.fraction) * (V(1) - simd::exp(-dv));
  if (law.growth_type == 1) grown = simd::max(grown, V(0));
  V fraction = of.fraction + grown;
  if (law.deviation > 0) {
    const V away = (p + V(0.5) * dp - V(law.mean_strain)) * V(1 / law.deviation);
    constexpr double root = 0.39894228040143268;  // 1 / sqrt(2 pi)
    fraction += nucleating * V(root / law.deviation) * simd::exp(V(-0.5) * away * away) * dp;
  }
  return simd::max(fraction, law.growth_type == 0 ? of.first : V(0));
}

/// Keeps the voids; a failed point stays as it is.
template <class V>
void store_voids(const GursonLaw& law, const Voids<V>& before, V fraction, V mean, V q,
                 const History<simd::scalar_t<V>>& history) {
  const V beyond = simd::max(fraction, V(1 + 1e-5) * before.last);  // so that rounding does not heal it
  const V kept = simd::select(fraction >= before.last, beyond, fraction);
  history.store(gurson_variable::growth, simd::select(before.failed, before.fraction, kept) - before.first);
  history.store(gurson_variable::effective, voids_of<V>(law, history).effective);
  history.store(gurson_variable::triaxiality, mean / simd::max(q, V(1e-20)));
}

/// The result of a step for the stress: its mean, the factor of other components, and strains.
template <class V>
struct PorousFlow {
  V mean, part, fraction;
  V volume = V(0), of_mean = V(0);  ///< plastic: of the volume, and l dk/dm
};

/// The return of a point with the mean stress m and the radius r of the other components.
template <class V, class Norm>
PorousFlow<V> flow_with_voids(const GursonLaw& law, const Voids<V>& voids, double share, double modulus, V m,
                              V r, V dt, const History<simd::scalar_t<V>>& history, V& plastic_strain,
                              Norm norm) {
  const PorousSurface<V> surface{effective_voids(law, voids), 1.5 * law.q2, share};
  PorousFlow<V> to{m, V(1), voids.fraction};
  const V p = plastic_strain, per_solid = V(1) / (V(1) - simd::min(voids.fraction, V(0.99)));
  const V k = V(1) / porous_return::inverse_stress(surface, m, simd::sqrt(V(share) * m * m + r * r));
  const auto flow_back = [&](simd::mask_t<V> may, const auto& flow) {
    using Flow = std::remove_cvref_t<decltype(flow)>;
    const simd::mask_t<V> yields = may && !voids.failed;
    if (!simd::any(yields)) return;
    const porous_return::PorousStep<V, Flow> step{surface, flow, p,       per_solid,
                                                  m,       r,    modulus, 3 * law.elastic.shear};
    const PorousReturn<V> end = return_to_porous(step, yields);
    to.mean = simd::select(yields, end.m, m);
    to.part = simd::select(yields, end.r / simd::select(r > V(0), r, V(1)), V(1));
    const V l = simd::select(yields, end.l, V(0)), dp = per_solid * l;
    to.volume = l * end.volume;
    to.of_mean = l * end.of_m;
    plastic_strain += dp;
    const V size = history.template load<V>(gurson_variable::size);
    const V fraction = grown_voids(law, voids, value_of(law.nucleating, size, V(0)), p, to.volume, dp);
    to.fraction = simd::select(yields, fraction, voids.fraction);
  };
  where_it_yields(static_cast<const FormulaLaw&>(law), k, plastic_strain, dt, norm, flow_back);
  return to;
}

template <class V>
void update_solid(const GursonLaw& law, SolidPoint<V>& point) {
  V(&s)[6] = point.s;
  add_elastic_solid(law.elastic, point.d, s);
  const V mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]);
  for (int i = 0; i < 3; ++i) s[i] -= mean;
  const V square =
      V(1.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const Voids<V> voids = voids_of<V>(law, point.history);
  const V q = simd::sqrt(square);
  const double bulk = law.elastic.young / (3 * (1 - 2 * law.elastic.poisson));
  const auto to = flow_with_voids(law, voids, 0.0, bulk, mean, q, point.dt, point.history,
                                  point.plastic_strain, [] { return V(0); });
  for (int i = 0; i < 6; ++i) s[i] = to.part * s[i] + (i < 3 ? to.mean : V(0));
  store_voids(law, voids, to.fraction, to.mean, to.part * q, point.history);
  point.failed = voids.failed || to.fraction >= voids.last;
  for (V& of : s) of = simd::select(point.failed, V(0), of);
}

template <class V>
void update_shell(const GursonLaw& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_shell(law.elastic, d, s);
  const V sum = s[0] + s[1], apart = s[0] - s[1], mean = V(1.0 / 3.0) * sum;
  const V square = V(0.75) * apart * apart + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const Voids<V> voids = voids_of<V>(law, point.history);
  const double modulus = 2 * law.elastic.young / (9 * (1 - law.elastic.poisson));
  const auto to = flow_with_voids(law, voids, 2.25, modulus, mean, V(simd::sqrt(square)), point.dt,
                                  point.history, point.plastic_strain, [] { return V(0); });
  const V half_sum = V(1.5) * to.mean, half = V(0.5) * to.part * apart;
  s[0] = half_sum + half;
  s[1] = half_sum - half;
  s[2] = V(0);
  for (int i = 3; i < 6; ++i) s[i] *= to.part;
  const V q = simd::sqrt(V(2.25) * to.mean * to.mean + to.part * to.part * square);
  store_voids(law, voids, to.fraction, to.mean, q, point.history);
  point.failed = voids.failed || to.fraction >= voids.last;
  for (V& of : s) of = simd::select(point.failed, V(0), of);
  const V plane = V(2.0 / 3.0) * to.of_mean;  // plastic d[0] + d[1]
  const V thickness = V(-law.elastic.thinning) * (d[0] + d[1] - plane) + to.volume - plane;
  point.d[2] = simd::select(point.failed, V(0), thickness);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/gurson_fields.hpp"
#endif

CRUMPLE_LAW(GursonLaw, {.number = 120,
                        .keyword = "MAT_GURSON",
                        .supports = {.solid = true, .shell = true},
                        .needs = {.element_size = true},
                        .elastic_fields = true,
                        .cost = 6,
                        .prepare = prepare_gurson})
