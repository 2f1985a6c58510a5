// MAT_077_O (*MAT_OGDEN_RUBBER): nearly incompressible rubber by up to eight powers of the principal
// stretches.
//
//   W = sum_j mu_j / alpha_j (m_1^alpha_j + m_2^alpha_j + m_3^alpha_j - 3) + K (J - 1 - ln J),  m_i =
//   J^(-1/3) l_i
//
// (Ogden 1972, Proc. R. Soc. A 326, p. 565; Hallquist 2006, LS-DYNA Theory Manual, material 77), with the
// principal Cauchy stresses
//
//   s_i = 1 / J sum_j mu_j (m_i^alpha_j - 1/3 sum_k m_k^alpha_j) + K (1 - 1 / J),
//
// the shear modulus G = 1/2 sum mu_j alpha_j, and K = 2 G (1 + PR) / (3 (1 - 2 PR)). Prony terms add a
// deviatoric stress (viscoelastic/prony.hpp): the constants mu and alpha are those of slow loading.
//
// The stable step is that of the moduli at rest, with all Prony terms. Powers stiffen in large stretches: a
// strip pulled to the stretch l has the slope sum mu ((alpha - 1) l^(alpha - 2) + (alpha / 2 + 1) l^(-alpha /
// 2 - 2)) of the nominal stress.
//
// History: b - 1 (left_cauchy_green.hpp), then 6 of each Prony term.
#pragma once

#include "materials/principal_axes.hpp"
#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/rubber/near_one.hpp"
#include "materials/viscoelastic/prony.hpp"

namespace crumple::materials {

struct OgdenLaw {
  static constexpr int kMostTerms = 8;
  int n = 0;
  double mu[kMostTerms] = {}, alpha[kMostTerms] = {};
  double bulk = 0;
  PronySeries prony;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const OgdenLaw& p, SolidPoint<V>& point) {
  V g[6];
  const V e = stretch_solid(point, g);
  store_history(point.history, g);
  PrincipalAxes<V> axes;
  principal_axes(g, axes);

  const V volume = simd::sqrt(V(1) + e), grown = e / (volume + V(1)), inverse = V(1) / volume;
  const V third = V(1.0 / 6.0) * log_near_one(e);  // ln J^(1/3)
  V strain[3], stress[3], slope[3];
  for (int i = 0; i < 3; ++i) {
    strain[i] = V(0.5) * log_near_one(axes.value[i]) - third;
    stress[i] = slope[i] = V(0);
  }
  for (int j = 0; j < p.n; ++j) {
    const V mu = V(p.mu[j]), alpha = V(p.alpha[j]);
    V power[3];  // less one
    for (int i = 0; i < 3; ++i) power[i] = exp_less_one(alpha * strain[i]);
    const V mean = V(1.0 / 3.0) * (power[0] + power[1] + power[2]);
    for (int i = 0; i < 3; ++i) {
      stress[i] += mu * (power[i] - mean);
      slope[i] += mu * alpha * (power[i] + V(1));
    }
  }
  const V pressure = V(p.bulk) * grown * inverse;
  for (int i = 0; i < 3; ++i) {
    stress[i] = stress[i] * inverse + pressure;
    slope[i] *= inverse / (V(2) * (V(1) + axes.value[i]));
  }
  tensor_of_axes(axes, stress, slope, point.s);
  add_prony_stress(p.prony, point, 6, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/rubber/rubber_fields.hpp"

namespace crumple::materials {

/// Throws CR-M105 for a fit to test data and what rubber_fields.hpp refuses, CR-M103 unless the shear modulus
/// is positive, CR-M104 for PR.
inline Prepared prepare_ogden(const model::Model&, const model::Material& material) {
  refuse_rubber_options(material);
  OgdenLaw law;
  double shear = 0;
  for (int j = 1; j <= OgdenLaw::kMostTerms; ++j) {
    const double mu = material.field(fmt::format("MU{}", j)),
                 alpha = material.field(fmt::format("ALPHA{}", j));
    if (mu == 0 || alpha == 0) continue;
    law.mu[law.n] = mu;
    law.alpha[law.n++] = alpha;
    shear += 0.5 * mu * alpha;
  }
  if (!(shear > 0))
    refuse(
        material, "CR-M103", "MU1",
        fmt::format("the shear modulus, half the sum of MU times ALPHA, is {}, it must be positive", shear));
  law.prony = read_prony(material, kMostRubberTerms);
  Prepared prepared;
  law.bulk = set_rubber_properties(material, shear, law.prony, prepared);
  prepared.parameters = std::make_shared<OgdenLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(OgdenLaw, {.number = 771,
                       .keyword = "MAT_OGDEN_RUBBER",
                       .supports = {.solid = true},
                       .cost = 8,
                       .prepare = prepare_ogden})
