// Isotropic elasticity whose shear relaxes: an elastic pressure and a deviatoric stress by the relaxation
// function G(t) = G_inf + sum G_i exp(-b_i t), in rate form,
//
//   s' = integral over past times T of 2 G(t - T) e'(T) dT,  p = -K tr e
//
// (Christensen 1982, Theory of Viscoelasticity, section 1.2). The deviatoric stress of each term is history;
// what is left of the element's stress, so an initial stress, too, is that of the spring G_inf and does not
// relax.
#pragma once

#include "materials/viscoelastic/prony.hpp"

namespace crumple::materials {

struct RelaxingShearLaw {
  double bulk = 0, shear = 0;  ///< K, G_inf
  PronySeries prony;
  bool no_pull = false;  ///< a pressure that pulls is not shown
};

inline namespace CRUMPLE_ISA {

/// History: the sum of the terms' stresses, the mean stress that is not shown, then 6 of each term.
inline constexpr int kRelaxingSum = 0, kHiddenMean = 6, kRelaxingTerms = 7;

template <class V>
void update_solid(const RelaxingShearLaw& p, SolidPoint<V>& point) {
  V sum[6], e[6];
  load_history(point.history, sum);
  if (point.rotation) rotate(point.rotation, sum);
  deviatoric_increment(point.d, e);
  const V mean = V(p.bulk) * (point.d[0] + point.d[1] + point.d[2]), twice = V(2 * p.shear);
  for (int k = 0; k < 6; ++k) {
    point.s[k] += twice * e[k] - sum[k] + (k < 3 ? mean : V(0));
    sum[k] = V(0);
  }
  add_prony_stress(p.prony, point, kRelaxingTerms, sum);
  store_history(point.history, sum);
  if (p.no_pull) {
    const V third = V(1.0 / 3.0) * (point.s[0] + point.s[1] + point.s[2]);
    const V whole = third + point.history.template load<V>(kHiddenMean);
    const V shown = simd::min(whole, V(0));
    point.history.store(kHiddenMean, whole - shown);
    for (int k = 0; k < 3; ++k) point.s[k] += shown - third;
  }
  for (int k = 0; k < 6; ++k) point.s[k] += sum[k];
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

/// Density, history and elastic constants at once of a law.
void set_relaxing_properties(const model::Material& material, const RelaxingShearLaw& law,
                             Prepared& prepared);

/// One term from G0, GI and a decay constant. Throws CR-M103 unless BULK and G0 are positive, CR-M108 for
/// negative GI or decay or GI > G0.
Prepared prepare_one_term(const model::Material& material, double decay);

}  // namespace crumple::materials

CRUMPLE_UPDATES(RelaxingShearLaw)
