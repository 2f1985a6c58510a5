// MAT_154 (*MAT_DESHPANDE_FLECK_FOAM): foam of metal with an elliptic yield surface (Deshpande and Fleck
// 2000, J. Mech. Phys. Solids 48, p. 1253; Reyes, Hopperstad, Berstad, Hanssen and Langseth 2003, Eur. J.
// Mech. A/Solids 22, p. 815).
//
// With von Mises' stress q, the mean stress m and k = 1 + (ALPHA / 3)^2, isotropic elastic up to
//
//   sqrt((q^2 + ALPHA^2 m^2) / k) = s_y,   s_y(e) = SIGP + GAMMA e/EPSD + ALPHA2 ln(1 / (1 - (e/EPSD)^BETA)),
//
// flow along the normal. e is the sum of equivalent plastic strain, conjugate to the stress on the left: in a
// test of one direction, that of its axis. Backward Euler with de = x keeps the direction of the deviator;
// with s_y of the step's end
//
//   q = q' / (1 + 3 G x / (k s_y)),   m = m' / (1 + K ALPHA^2 x / (k s_y)),
//
// ' for the trial stress, so that the ratio of the left side to s_y falls with x. Its inverse less 1 is
// nearly straight in x; Newton's method between bounds that close finds where it is 0. s_y is infinite at e =
// EPSD: from 1 - 1e-5 of it on s_y goes on straight, so steep that the foam is elastic.
//
// Failure: the plastic part of the volumetric strain exceeds CFAIL (Reyes et al., section 2.3), or the
// largest principal stress has been PFAIL in NUM steps, one after another.
//
// History: plastic volumetric strain, steps at PFAIL, whether the point has failed.
#pragma once

#include "materials/law.hpp"
#include "materials/power.hpp"
#include "materials/principal_values.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct DeshpandeFleckFoamLaw {
  double bulk = 0, shear = 0;
  double aspect = 0, denominator = 1;                    ///< ALPHA^2, k
  double plateau = 0, linear = 0, steep = 0, power = 1;  ///< SIGP, GAMMA / EPSD, ALPHA2, BETA
  double densified = 1;                                  ///< EPSD
  double softest = 1;                                    ///< the smaller one of 3 G / k and K ALPHA^2 / k
  double volume_limit = 0, stress_limit = 0;             ///< CFAIL, PFAIL; 0: none
  double steps = 1;                                      ///< NUM

  static constexpr double kMost = 1 - 1e-5;  ///< of EPSD
  static constexpr int kVolume = 0, kSteps = 1, kFailed = 2, kHistory = 3;
};

inline namespace CRUMPLE_ISA {

/// s_y and its slope.
template <class V>
struct FoamYield {
  V stress, slope;
};
template <class V>
FoamYield<V> foam_yield(const DeshpandeFleckFoamLaw& p, V strain) {
  const V end(DeshpandeFleckFoamLaw::kMost * p.densified);
  const V part = simd::min(strain, end) * V(1 / p.densified), raised = power(part, p.power);
  const V rest = simd::max(V(1) - raised, V(1e-6));
  const V ratio = p.power == 1 ? V(1) : raised / simd::max(part, V(1e-12));
  const V slope = V(p.steep * p.power / p.densified) * ratio / rest;
  const V beyond = slope * simd::max(strain - end, V(0));
  return {V(p.plateau) + V(p.linear) * strain - V(p.steep) * simd::log(rest) + beyond, V(p.linear) + slope};
}

/// How a trial stress with q', m' comes back with a plastic strain x.
template <class V>
struct FoamReturn {
  V deviator, mean;  ///< factors of q' and m'
  V excess, slope;   ///< s_y over the left side, less 1
};
template <class V>
FoamReturn<V> foam_return(const DeshpandeFleckFoamLaw& p, V q, V m, V before, V x) {
  const FoamYield<V> yield = foam_yield(p, before + x);
  const V by_shear(3 * p.shear / p.denominator), by_bulk(p.bulk * p.aspect / p.denominator), one(1);
  const V y = yield.stress, shear = one / (y + by_shear * x), bulk = one / (y + by_bulk * x);
  const V a = q * shear, b = m * bulk, aa = V(1 / p.denominator) * a * a,
          bb = V(p.aspect / p.denominator) * b * b;
  const V square = simd::max(aa + bb, V(1e-20)), inverse = one / simd::sqrt(square);
  const V falls = aa * shear * (yield.slope + by_shear) + bb * bulk * (yield.slope + by_bulk);
  return {y * shear, y * bulk, inverse - one, inverse * falls / square};
}

/// The plastic strain of a step, 0 where it is elastic.
template <class V>
V foam_plastic_strain(const DeshpandeFleckFoamLaw& p, V q, V m, V before) {
  constexpr int kIterations = 16;
  const V zero(0), half(0.5);
  const V left = simd::sqrt(simd::max((q * q + V(p.aspect) * m * m) * V(1 / p.denominator), V(1e-20)));
  const V most = left * V(1 / p.softest);
  const simd::mask_t<V> yields = foam_return(p, q, m, before, zero).excess < zero;
  if (!simd::any(yields)) return zero;
  V low = zero, high = most, x = zero;
  for (int n = 0; n < kIterations; ++n) {
    const FoamReturn<V> at = foam_return(p, q, m, before, x);
    low = simd::select(at.excess < zero, simd::max(low, x), low);
    high = simd::select(at.excess < zero, high, simd::min(high, x));
    const V next = x - at.excess / at.slope;
    x = simd::select(next >= low && next <= high, next, half * (low + high));
  }
  const FoamReturn<V> at = foam_return(p, q, m, before, x);  // of derivatives, this step is the last
  x = simd::min(simd::max(x - at.excess / at.slope, zero), most);
  return simd::select(yields, x, zero);
}

/// Counts steps at PFAIL and lets points fail.
template <class V>
simd::mask_t<V> foam_fails(const DeshpandeFleckFoamLaw& p, const SolidPoint<V>& point, V volume) {
  using Law = DeshpandeFleckFoamLaw;
  const V zero(0), one(1);
  V failed = point.history.template load<V>(Law::kFailed);
  if (p.volume_limit > 0) failed = simd::select(volume > V(p.volume_limit), one, failed);
  if (p.stress_limit > 0) {
    const V counted = point.history.template load<V>(Law::kSteps);
    const V steps = simd::select(principal_range(point.s).largest >= V(p.stress_limit), counted + one, zero);
    point.history.store(Law::kSteps, steps);
    failed = simd::select(steps >= V(p.steps), one, failed);
  }
  point.history.store(Law::kFailed, failed);
  return failed > zero;
}

template <class V>
void update_solid(const DeshpandeFleckFoamLaw& p, SolidPoint<V>& point) {
  using Law = DeshpandeFleckFoamLaw;
  V(&s)[6] = point.s;
  const V third(1.0 / 3), change = point.d[0] + point.d[1] + point.d[2];
  const V mean = third * (s[0] + s[1] + s[2]), trial = mean + V(p.bulk) * change;
  V square(0);
  for (int k = 0; k < 6; ++k) {
    s[k] =
        k < 3 ? s[k] - mean + V(2 * p.shear) * (point.d[k] - third * change) : s[k] + V(p.shear) * point.d[k];
    square += V(k < 3 ? 1.5 : 3.0) * s[k] * s[k];
  }
  const V q = simd::sqrt(simd::max(square, V(1e-20)));
  const V x = foam_plastic_strain(p, q, trial, point.plastic_strain);
  const FoamReturn<V> back = foam_return(p, q, trial, point.plastic_strain, x);
  const simd::mask_t<V> plastic = x > V(0);
  const V deviator = simd::select(plastic, back.deviator, V(1));
  const V to = simd::select(plastic, back.mean, V(1)) * trial;
  for (int k = 0; k < 6; ++k) s[k] = deviator * s[k] + (k < 3 ? to : V(0));
  point.plastic_strain += x;
  const V volume = point.history.template load<V>(Law::kVolume) + (trial - to) * V(1 / p.bulk);
  point.history.store(Law::kVolume, volume);
  const simd::mask_t<V> gone = foam_fails(p, point, volume);
  for (V& of : s) of = simd::select(gone, V(0), of);
  point.failed = gone;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 without SIGP, EPSD or BETA, CR-M108 for negative fields.
inline Prepared prepare_deshpande_fleck_foam(const model::Model&, const model::Material& material) {
  DeshpandeFleckFoamLaw law;
  Prepared prepared = prepare_isotropic(material);
  law.bulk = prepared.elastic.bulk, law.shear = prepared.elastic.shear;
  const double alpha = not_negative_field(material, "ALPHA");
  law.aspect = alpha * alpha;
  law.denominator = 1 + law.aspect / 9;
  const double by_bulk = law.bulk * law.aspect / law.denominator, by_shear = 3 * law.shear / law.denominator;
  law.softest = law.aspect > 0 ? std::min(by_shear, by_bulk) : by_shear;
  law.densified = positive_field(material, "EPSD");
  law.plateau = positive_field(material, "SIGP");
  law.linear = not_negative_field(material, "GAMMA") / law.densified;
  law.steep = not_negative_field(material, "ALPHA2");
  law.power = positive_field(material, "BETA");
  law.volume_limit = not_negative_field(material, "CFAIL");
  law.stress_limit = not_negative_field(material, "PFAIL");
  law.steps = std::round(not_negative_field(material, "NUM"));
  if (law.steps == 0) law.steps = 1000;
  prepared.n_history = DeshpandeFleckFoamLaw::kHistory;
  prepared.parameters = std::make_shared<DeshpandeFleckFoamLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(DeshpandeFleckFoamLaw, {.number = 154,
                                    .keyword = "MAT_DESHPANDE_FLECK_FOAM",
                                    .supports = {.solid = true},
                                    .elastic_fields = true,
                                    .cost = 8,
                                    .prepare = prepare_deshpande_fleck_foam})
