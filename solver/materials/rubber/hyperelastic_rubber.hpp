// MAT_077_H (*MAT_HYPERELASTIC_RUBBER): nearly incompressible rubber by a polynomial of two invariants.
//
//   W = sum C_pq (J1 - 3)^p (J2 - 3)^q + K / 2 (J - 1)^2,  J1 = J^(-2/3) I1,  J2 = J^(-4/3) I2
//
// with C10, C01, C11, C20, C02, C30 (Rivlin and Saunders 1951, Phil. Trans. R. Soc. A 243, p. 251; Hallquist
// 2006, LS-DYNA Theory Manual, material 77, which leaves the work of the volume open). The Cauchy stress is
//
//   s = 2 / J dev((W1 + J1 W2) c - W2 c^2) + K (J - 1) 1,  c = J^(-2/3) b
//
// (Simo and Hughes 1998, Computational Inelasticity, section 9.2, for the deviator of an isochoric energy),
// the shear modulus G = 2 (C10 + C01), and K = 2 G (1 + PR) / (3 (1 - 2 PR)). Prony terms add a deviatoric
// stress (viscoelastic/prony.hpp): the constants are those of slow loading.
//
// The stable step is that of the moduli at rest, with all Prony terms; C20 and C30 stiffen in large
// stretches.
//
// History: b - 1 (left_cauchy_green.hpp), then 6 of each Prony term.
#pragma once

#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/rubber/near_one.hpp"
#include "materials/viscoelastic/prony.hpp"

namespace crumple::materials {

struct HyperelasticLaw {
  double c10 = 0, c01 = 0, c11 = 0, c20 = 0, c02 = 0, c30 = 0;
  double bulk = 0;
  PronySeries prony;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const HyperelasticLaw& p, SolidPoint<V>& point) {
  V g[6], square[6];
  const V e = stretch_solid(point, g);
  store_history(point.history, g);
  multiply(g, g, square);

  const V less = exp_less_one(V(-1.0 / 3.0) * log_near_one(e)), scale = V(1) + less;  // J^(-2/3) less one
  const V trace = g[0] + g[1] + g[2], squares = square[0] + square[1] + square[2];
  // x = J1 - 3 and y = J2 - 3, without the cancellation of large terms: I1 - 3 = tr g, I2 - 3 = 2 tr g + II
  // g.
  const V second = V(2) * trace + V(0.5) * (trace * trace - squares);
  const V twice = less * (V(2) + less);  // J^(-4/3) less one
  const V x = scale * trace + V(3) * less, y = (V(1) + twice) * second + V(3) * twice;
  const V w1 = V(p.c10) + V(p.c11) * y + x * (V(2 * p.c20) + V(3 * p.c30) * x);
  const V w2 = V(p.c01) + V(p.c11) * x + V(2 * p.c02) * y;
  // dev c = scale dev g; dev c^2 = scale^2 dev(2 g + g g)
  const V first = scale * (w1 + (x + V(3)) * w2) - V(2) * scale * scale * w2, quadratic = scale * scale * w2;
  const V volume = simd::sqrt(V(1) + e), factor = V(2) / volume;
  const V mean = V(1.0 / 3.0) * (first * trace - quadratic * squares);
  const V pressure = V(p.bulk) * e / (volume + V(1));
  for (int k = 0; k < 6; ++k) {
    const V isochoric = first * g[k] - quadratic * square[k];
    point.s[k] = k < 3 ? factor * (isochoric - mean) + pressure : factor * isochoric;
  }
  add_prony_stress(p.prony, point, 6, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/rubber/rubber_fields.hpp"

namespace crumple::materials {

/// Throws CR-M105 for a fit to test data and what rubber_fields.hpp refuses, CR-M103 unless C10 + C01 is
/// positive, CR-M104 for PR.
inline Prepared prepare_hyperelastic(const model::Model&, const model::Material& material) {
  refuse_rubber_options(material);
  HyperelasticLaw law;
  law.c10 = material.field("C10");
  law.c01 = material.field("C01");
  law.c11 = material.field("C11");
  law.c20 = material.field("C20");
  law.c02 = material.field("C02");
  law.c30 = material.field("C30");
  const double shear = 2 * (law.c10 + law.c01);
  if (!(shear > 0))
    refuse(material, "CR-M103", "C10", fmt::format("C10 + C01 is {}, it must be positive", shear / 2));
  law.prony = read_prony(material, kMostRubberTerms);
  Prepared prepared;
  law.bulk = set_rubber_properties(material, shear, law.prony, prepared);
  prepared.parameters = std::make_shared<HyperelasticLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HyperelasticLaw, {.number = 77,
                              .keyword = "MAT_HYPERELASTIC_RUBBER",
                              .supports = {.solid = true},
                              .cost = 3,
                              .prepare = prepare_hyperelastic})
