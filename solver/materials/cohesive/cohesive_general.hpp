// MAT_186 (*MAT_COHESIVE_GENERAL): tractions by a normalised curve, with damage and a criterion for mixed
// modes.
//
// LS-DYNA Keyword User's Manual, *MAT_COHESIVE_GENERAL. The curve TSLC is q(l), 0 at 0, 1 at its peak, 0 at
// 1, with the area A. Alone a mode fails at dI_F = GIC / (A T), dII_F = GIIC / (A S). With dI = max(d3, 0),
// dII, dm and the shares c and s as for MAT_138, the effective separation and the tractions are
//
// TES = 0 or 1: l = dm / dF,       s_i = P_i q(l) d_i / dm, where P_i is S, S and T, and
//   TES = 0, power law:            dF = 1/A ((T c / GIC)^XMU + (S s / GIIC)^XMU)^(-1/XMU),
//   TES = 1, Benzeggagh-Kenane:    dF = 1/(A (T c + S s)) (GIC + (GIIC - GIC) (S s / (T c + S s))^XMU);
// TES = 2: l = root of (dI/dI_F)^2 + (dII/dII_F)^2,   s_i = P_i q(l)/l d_i / di_F.
//
// Each takes GIC and GIIC in its mode and, in a constant mixed mode, the energy of its criterion; that of TES
// = 2 is GI/GIC + GII/GIIC = 1. The curve counts at the largest l so far, and a point unloads from there to
// the origin: q(l) is q(lmax)/lmax times l. In compression the traction is that of the first slope of the
// curve in mode I times 1 + STFSF, without damage. A point fails where l reaches 1; it still carries
// compression.
//
// History: 0 largest l. Damage is 1 - q(l)/l over that of the first segment, for output.
#pragma once

#include <algorithm>
#include <memory>

#include "materials/cohesive/cohesive_mixed_mode.hpp"
#include "materials/cohesive/cohesive_point.hpp"
#include "materials/plasticity/bounded_curve.hpp"

namespace crumple::materials {

struct CohesiveGeneralLaw {
  FlowCurves curve;
  double area = 0, first_slope = 0;
  double tension = 0, shear = 0;          ///< T, S
  double energy_1 = 0, energy_2 = 0;      ///< GIC, GIIC
  double ultimate_1 = 0, ultimate_2 = 0;  ///< separations at which a mode fails alone
  double exponent = 1;
  int type = 0;            ///< TES
  double compression = 0;  ///< stiffness
};

inline namespace CRUMPLE_ISA {

/// Separation at failure of a mixed mode, TES = 0 or 1.
template <class V>
V ultimate_separation(const CohesiveGeneralLaw& p, V share) {
  const V opening = V(1) - share;
  if (p.type == 0) {
    const V sum = power(opening, p.exponent) + power(V(p.ultimate_1 / p.ultimate_2) * share, p.exponent);
    return V(p.ultimate_1) * power(sum, -1 / p.exponent);
  }
  const V peak = V(p.tension) * opening + V(p.shear) * share, inverse = simd::inverse(peak);
  const V of_shear = V(p.shear) * share * inverse;
  return V(1 / p.area) * inverse * (V(p.energy_1) + V(p.energy_2 - p.energy_1) * power(of_shear, p.exponent));
}

/// The effective separation, and the factors of the separations in q(l)/l.
template <class V>
struct EffectiveSeparation {
  V l, tangential, normal;
};
template <class V>
EffectiveSeparation<V> effective_separation(const CohesiveGeneralLaw& p, const V (&d)[3]) {
  const Modes<V> modes = modes_of(d);
  if (p.type < 2) {
    const V inverse = simd::inverse(ultimate_separation(p, modes.share));
    return {modes.magnitude * inverse, V(p.shear) * inverse, V(p.tension) * inverse};
  }
  const V first = V(1 / (p.ultimate_1 * p.ultimate_1)), second = V(1 / (p.ultimate_2 * p.ultimate_2));
  const V of_unit = (V(1) - modes.share) * first + modes.share * second;
  return {modes.magnitude * simd::sqrt(of_unit), V(p.shear / p.ultimate_2), V(p.tension / p.ultimate_1)};
}

template <class V>
void update_cohesive(const CohesiveGeneralLaw& p, CohesivePoint<V>& point) {
  const EffectiveSeparation<V> now = effective_separation(p, point.d);
  const V largest = simd::max(point.history.template load<V>(0), now.l);
  point.history.store(0, largest);
  point.failed = largest >= V(1);
  const V least = V(p.curve.first + 1e-6 * (p.curve.last - p.curve.first));
  const V at = simd::max(largest, least);  // the first segment goes through the origin
  const V value = simd::max(bounded_curve(p.curve, at).value, V(0));
  const V secant = simd::select(point.failed, V(0), value * simd::inverse(at));
  point.damage = simd::max(V(0), V(1) - V(1 / p.first_slope) * secant);
  for (int k = 0; k < 2; ++k) point.s[k] = now.tangential * secant * point.d[k];
  point.s[2] =
      simd::select(point.d[2] > V(0), now.normal * secant * point.d[2], V(p.compression) * point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/cohesive_fields.hpp"
#include "materials/cohesive/normalised_curve.hpp"

namespace crumple::materials {

struct OwnedCohesiveGeneral {
  CohesiveGeneralLaw law;
  std::unique_ptr<FlowCurveStorage> curve;
};

/// The largest tangent of a traction over its separation, over all mixed modes.
inline double largest_stiffness(const CohesiveGeneralLaw& law, double steepest) {
  double ultimate = std::min(law.ultimate_1, law.ultimate_2);
  constexpr int kModes = 100;
  if (law.type < 2)
    for (int k = 0; k <= kModes; ++k)
      ultimate = std::min(ultimate, ultimate_separation(law, static_cast<double>(k) / kModes));
  return std::max(law.compression, steepest * std::max(law.tension, law.shear) / ultimate);
}

inline Prepared prepare_cohesive_general(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedCohesiveGeneral>();
  CohesiveGeneralLaw& law = owned->law;
  if (material.field("TSLC2") != 0)
    refuse(material, "CR-M105", "TSLC2", "TSLC2 is given: a curve of its own for mode II is not supported");
  const NormalisedCurve curve = normalised_curve(model, material, "TSLC");
  const double rate = 0;
  owned->curve = std::make_unique<FlowCurveStorage>(std::span(&curve.curve, 1), std::span(&rate, 1));
  law.curve = owned->curve->view();
  law.area = curve.area;
  law.first_slope = curve.first_slope;
  law.tension = positive_field(material, "T");
  law.shear = positive_field(material, "S");
  law.energy_1 = positive_field(material, "GIC");
  law.energy_2 = positive_field(material, "GIIC");
  law.ultimate_1 = law.energy_1 / (law.area * law.tension);
  law.ultimate_2 = law.energy_2 / (law.area * law.shear);
  const double type = material.field("TES");
  if (type != 0 && type != 1 && type != 2)
    refuse(material, "CR-M108", "TES", fmt::format("TES is {}: 0, 1 or 2", type));
  law.type = static_cast<int>(type);
  if (law.type < 2) law.exponent = positive_field(material, "XMU");
  const double factor = 1 + material.field("STFSF");
  if (!(factor > 0))
    refuse(material, "CR-M108", "STFSF",
           fmt::format("STFSF is {}: 1 + STFSF scales the stiffness in compression", factor - 1));
  law.compression = factor * law.tension * law.first_slope / law.ultimate_1;
  Prepared prepared = prepare_cohesive(material, largest_stiffness(law, curve.steepest), 1);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CohesiveGeneralLaw, {.number = 186,
                                 .keyword = "MAT_COHESIVE_GENERAL",
                                 .supports = {.cohesive = true},
                                 .cost = 2,
                                 .prepare = prepare_cohesive_general})
