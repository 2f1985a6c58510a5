// MAT_177 (*MAT_HILL_FOAM): compressible foam by up to eight powers of the principal stretches.
//
//   W = sum_j C_j / B_j (l_1^B_j + l_2^B_j + l_3^B_j - 3 + 1 / N (J^(-N B_j) - 1))
//
// (Hill 1978, Adv. Appl. Mech. 18, p. 1; Storakers 1986, J. Mech. Phys. Solids 34, p. 125; Hallquist 2006,
// LS-DYNA Theory Manual, material 177), with the principal Cauchy stresses
//
//   s_i = 1 / J sum_j C_j (l_i^B_j - J^(-N B_j)).
//
// The moduli at rest are G = 1/2 sum C_j B_j and K = 2 G (N + 1 / 3), so Poisson's ratio is N / (1 + 2 N): a
// strip keeps the lateral stretch l^-nu at any strain. The stable step is that of these moduli; negative
// powers stiffen in compression.
//
// History: b - 1 (left_cauchy_green.hpp).
#pragma once

#include "materials/principal_axes.hpp"
#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/rubber/near_one.hpp"

namespace crumple::materials {

struct HillFoamLaw {
  static constexpr int kMostTerms = 8;
  int count = 0;
  double c[kMostTerms] = {}, b[kMostTerms] = {};
  double n = 0;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const HillFoamLaw& p, SolidPoint<V>& point) {
  V g[6];
  const V e = stretch_solid(point, g);
  store_history(point.history, g);
  PrincipalAxes<V> axes;
  principal_axes(g, axes);
  const V inverse = V(1) / simd::sqrt(V(1) + e), swelling = V(-0.5 * p.n) * log_near_one(e);
  V strain[3], stress[3], slope[3];
  for (int i = 0; i < 3; ++i) {
    strain[i] = V(0.5) * log_near_one(axes.value[i]);
    stress[i] = slope[i] = V(0);
  }
  for (int j = 0; j < p.count; ++j) {
    const V c = V(p.c[j]), b = V(p.b[j]), all = exp_less_one(b * swelling);
    for (int i = 0; i < 3; ++i) {
      const V power = exp_less_one(b * strain[i]);
      stress[i] += c * (power - all);
      slope[i] += c * b * (power + V(1));
    }
  }
  for (int i = 0; i < 3; ++i) {
    stress[i] *= inverse;
    slope[i] *= inverse / (V(2) * (V(1) + axes.value[i]));
  }
  tensor_of_axes(axes, stress, slope, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws CR-M105 for a fit to a curve and the Mullins effect, CR-M103 unless N and the shear modulus are
/// positive.
inline Prepared prepare_hill_foam(const model::Model&, const model::Material& material) {
  if (material.field("LCID") != 0)
    refuse(material, "CR-M105", "LCID",
           "constants from a fit to a curve are not supported; give C1 to C8 and B1 to B8");
  if (material.field("R") != 0 || material.field("M") != 0)
    refuse(material, "CR-M105", "R", "the Mullins effect is not supported");
  HillFoamLaw law;
  law.n = positive_field(material, "N");
  double shear = 0;
  for (int j = 1; j <= HillFoamLaw::kMostTerms; ++j) {
    const double c = material.field(fmt::format("C{}", j)), b = material.field(fmt::format("B{}", j));
    if (c == 0 || b == 0) continue;
    law.c[law.count] = c;
    law.b[law.count++] = b;
    shear += 0.5 * c * b;
  }
  if (!(shear > 0))
    refuse(material, "CR-M103", "C1",
           fmt::format("the shear modulus, half the sum of C times B, is {}, it must be positive", shear));
  Prepared prepared = prepared_with(law);
  const double poisson = law.n / (1 + 2 * law.n);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(2 * shear * (1 + poisson), poisson);
  prepared.damping = foam_damping(material, "NU");
  prepared.n_history = 6;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HillFoamLaw, {.number = 177,
                          .keyword = "MAT_HILL_FOAM",
                          .supports = {.solid = true},
                          .cost = 6,
                          .prepare = prepare_hill_foam})
