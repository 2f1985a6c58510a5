// MAT_185 (*MAT_COHESIVE_TH): trilinear tractions from a potential, which return along the same path.
//
// Tvergaard and Hutchinson (1992), "The relation between crack growth resistance and fracture process
// parameters in elastic-plastic solids", J. Mech. Phys. Solids 40, eqs. 2.1 to 2.4 (and 1993 for both modes),
// as the LS-DYNA Keyword User's Manual has it. With the dimensionless separation
//
//   l = root of (d1/TLS)^2 + (d2/TLS)^2 + (max(d3, 0)/NLS)^2
//
// and the trilinear t(l), which rises to SIGMAX at l1 = LAMDA1/LAMDAF, stays to l2 = LAMDA2/LAMDAF and falls
// to 0 at 1, the potential is NLS times the integral of t(l), and its derivatives are
//
//   s1 = t(l)/l NLS/TLS d1/TLS,  s2 likewise,  s3 = t(l)/l d3/NLS.
//
// So both modes take the same energy, SIGMAX NLS (1 - l1 + l2) / 2. In compression s3 = STFSF SIGMAX / (NLS
// l1) d3. The path is reversible: unloading goes back along t(l). A point fails for good where l reaches 1;
// it still carries compression. Damage: 1 where the point has failed. No history.
#pragma once

#include <algorithm>

#include "materials/cohesive/cohesive_point.hpp"

namespace crumple::materials {

struct CohesiveThLaw {
  double peak = 0;                    ///< SIGMAX
  double normal = 0, tangential = 0;  ///< NLS, TLS
  double begin = 0, end = 0;          ///< of the plateau: l1, l2
  double compression = 0;             ///< stiffness
};

inline namespace CRUMPLE_ISA {

/// t(l) / l; finite at 0.
template <class V>
V trilinear_secant(const CohesiveThLaw& p, V l) {
  const V rise = V(p.peak / p.begin), peak = V(p.peak);
  const V beyond = simd::max(l, V(p.begin));
  const V falling = V(p.peak / (1 - p.end)) * (V(1) - beyond);
  const V flat = simd::max(simd::min(peak, falling), V(0)) * simd::inverse(beyond);
  return simd::select(l < V(p.begin), rise, flat);
}

template <class V>
void update_cohesive(const CohesiveThLaw& p, CohesivePoint<V>& point) {
  const V along = V(1 / p.tangential), normal = V(1 / p.normal);
  const V opening = normal * simd::max(point.d[2], V(0));
  const V square = along * along * (point.d[0] * point.d[0] + point.d[1] * point.d[1]) + opening * opening;
  const V l = simd::sqrt(simd::max(square, no_separation<V>()));
  point.failed = point.damage > V(0) || l >= V(1);
  point.damage = simd::select(point.failed, V(1), V(0));
  const V secant = simd::select(point.failed, V(0), trilinear_secant(p, l));
  for (int k = 0; k < 2; ++k) point.s[k] = V(p.normal / (p.tangential * p.tangential)) * secant * point.d[k];
  point.s[2] = simd::select(point.d[2] > V(0), secant * opening, V(p.compression) * point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/cohesive_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_cohesive_th(const model::Model&, const model::Material& material) {
  CohesiveThLaw law;
  law.peak = positive_field(material, "SIGMAX");
  law.normal = positive_field(material, "NLS");
  law.tangential = positive_field(material, "TLS");
  const double failure = positive_field(material, "LAMDAF");
  law.begin = positive_field(material, "LAMDA1") / failure;
  law.end = positive_field(material, "LAMDA2") / failure;
  if (law.end < law.begin || !(law.end < 1))
    refuse(
        material, "CR-M108", "LAMDA2",
        fmt::format("LAMDA1, LAMDA2 and LAMDAF are {}, {} and {}: they must not decrease, and LAMDAF must be "
                    "the largest",
                    material.field("LAMDA1"), material.field("LAMDA2"), failure));
  const double tension = law.peak / (law.normal * law.begin);
  law.compression = not_negative_field(material, "STFSF") * tension;
  const double shear = tension * (law.normal / law.tangential) * (law.normal / law.tangential);
  Prepared prepared = prepare_cohesive(material, std::max({tension, shear, law.compression}));
  prepared.parameters = std::make_shared<CohesiveThLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CohesiveThLaw, {.number = 185,
                            .keyword = "MAT_COHESIVE_TH",
                            .supports = {.cohesive = true},
                            .prepare = prepare_cohesive_th})
