// MAT_007 (*MAT_BLATZ-KO_RUBBER): compressible rubber by its shear modulus G, with Poisson's ratio 0.463.
//
//   W = G / 2 (I1 - 3 + (1 - 2 nu) / nu (I3^(-nu / (1 - 2 nu)) - 1))
//
// with the invariants of the left Cauchy-Green tensor b (Blatz and Ko, Trans. Soc. Rheology 6, 1962, p. 223;
// their f = 1, which they found for continuous rubber). The Cauchy stress 2 / J b dW/db is, with I3 = J^2,
//
//   s = G (b / J - J^(-1 / (1 - 2 nu)) 1) = G / J (b - I3^(-nu / (1 - 2 nu)) 1).
//
// It is the right side of the equation in the LS-DYNA manuals (Hallquist 2006, material 7), which name it
// second Piola-Kirchhoff stress and its tensor C. That of this W is G (1 - J^(-2 nu / (1 - 2 nu)) C^-1),
// which has the same linear part; so the equation is read with b, as a Cauchy stress. A strip that is pulled
// to the stretch l has the lateral stretch l^-nu at any strain, and the nominal stress G (l - l^-(1 + 2 nu)).
//
// The stable step of elements is that of the modulus at rest. The modulus of plane waves is 1.5 times as
// large at 0.97 of the first volume and four times at 0.9, so compression by more than a few percent needs a
// smaller TSSFAC.
//
// b is history (left_cauchy_green.hpp): b - 1 (xx yy zz xy yz zx).
#pragma once

#include "materials/rubber/left_cauchy_green.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct BlatzKoLaw {
  static constexpr double kPoisson = 0.463;
  double shear = 0;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const BlatzKoLaw& p, SolidPoint<V>& point) {
  constexpr double exponent = -BlatzKoLaw::kPoisson / (1 - 2 * BlatzKoLaw::kPoisson);
  V g[6];
  const V i3 = V(1) + stretch_solid(point, g);
  const V pressure = V(1) - simd::pow(i3, V(exponent));
  const V factor = V(p.shear) / simd::sqrt(i3);
  for (int k = 0; k < 6; ++k) point.s[k] = factor * (k < 3 ? g[k] + pressure : g[k]);
  store_history(point.history, g);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 unless G is positive, CR-M105 for REF other than 0 and 1.
inline Prepared prepare_blatz_ko(const model::Model&, const model::Material& material) {
  check_reference_geometry(material);
  BlatzKoLaw law;
  law.shear = positive_field(material, "G");
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(2 * law.shear * (1 + law.kPoisson), law.kPoisson);
  prepared.n_history = 6;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(BlatzKoLaw, {.number = 7,
                         .keyword = "MAT_BLATZ-KO_RUBBER",
                         .supports = {.solid = true},
                         .prepare = prepare_blatz_ko})
