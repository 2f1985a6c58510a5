// MAT_138 (*MAT_COHESIVE_MIXED_MODE): bilinear tractions with damage, and a criterion for mixed modes.
//
// Camanho, Davila and de Moura (2003), "Numerical simulation of mixed-mode progressive delamination in
// composite materials", J. Compos. Mater. 37, eqs. 10 to 19, as the LS-DYNA Keyword User's Manual has it for
// *MAT_COHESIVE_MIXED_MODE. With the opening dI = max(d3, 0), the sliding dII = root of d1^2 + d2^2, dm =
// root of dI^2 + dII^2 and the shares c = (dI/dm)^2, s = (dII/dm)^2, damage begins where the quadratic
// criterion of tractions is met,
//
//   1/d0^2 = c / (T/EN)^2 + s / (S/ET)^2,
//
// and is complete where the energy of both modes meets, with XMU > 0, the power law
//
//   dF = 2/d0 ((EN c / GIC)^XMU + (ET s / GIIC)^XMU)^(-1/XMU),
//
// or, with XMU < 0, the law of Benzeggagh and Kenane (1996)
//
//   dF = 2 / (d0 K) (GIC + (GIIC - GIC) (ET s / (EN c + ET s))^|XMU|), K = (EN^G c + ET^G s)^(1/G), G =
//   GAMMA,
//
// so that the area below the curve of a mode is GIC or GIIC, and of a mixed mode what the law says (with G =
// 1). Damage D = dF (dm - d0) / (dm (dF - d0)), of which the largest one counts: a point unloads to the
// origin. Tractions are (1 - D) ET d1, (1 - D) ET d2 and (1 - D) EN d3, in compression EN d3 without damage.
// A point has failed where D = 1; it still carries compression. Without T or S they are 2 GIC / UND and 2
// GIIC / UTD. T, S, GIC and GIIC below 0 are curves over the size of the element.
//
// Where a change of the mode would lessen D it stays: LS-DYNA's manual does not say what is kept. No history
// beside D.
#pragma once

#include <algorithm>
#include <memory>

#include "materials/cohesive/cohesive_point.hpp"
#include "materials/cohesive/sized_value.hpp"
#include "materials/power.hpp"

namespace crumple::materials {

struct CohesiveMixedModeLaw {
  double normal = 0, tangential = 0;  ///< EN, ET
  SizedValue tension, shear;          ///< T, S
  SizedValue energy_1, energy_2;      ///< GIC, GIIC
  double exponent = 1;                ///< |XMU|
  bool benzeggagh_kenane = false;
  double ratio_to_gamma = 1, inverse_gamma = 1;  ///< (ET / EN)^GAMMA, 1 / GAMMA
};

inline namespace CRUMPLE_ISA {

/// Separation at which damage is complete, times that at which it begins.
template <class V>
V ultimate_times_onset(const CohesiveMixedModeLaw& p, V share, V energy_1, V energy_2) {
  const V opening = V(1) - share, ratio = V(p.tangential / p.normal);
  const V unit = V(2 / p.normal) * energy_1;
  if (!p.benzeggagh_kenane) {
    const V sum =
        power(opening, p.exponent) + power(ratio * energy_1 * simd::inverse(energy_2) * share, p.exponent);
    return unit * power(sum, -1 / p.exponent);
  }
  const V of_shear = ratio * share * simd::inverse(opening + ratio * share);
  const V energy = V(2 / p.normal) * (energy_1 + (energy_2 - energy_1) * power(of_shear, p.exponent));
  return energy * power(opening + V(p.ratio_to_gamma) * share, -p.inverse_gamma);
}

template <class V>
void update_cohesive(const CohesiveMixedModeLaw& p, CohesivePoint<V>& point) {
  const Modes<V> modes = modes_of(point.d);
  const V tension = value_at(p.tension, point.size), shear = value_at(p.shear, point.size);
  const V by_tension = V(p.normal) * simd::inverse(tension),
          by_shear = V(p.tangential) * simd::inverse(shear);
  const V onset =
      simd::inverse_sqrt((V(1) - modes.share) * by_tension * by_tension + modes.share * by_shear * by_shear);
  V damage = point.damage;
  if (simd::any(modes.magnitude > onset)) {
    const V product = ultimate_times_onset(p, modes.share, value_at(p.energy_1, point.size),
                                           value_at(p.energy_2, point.size));
    // Where a mixed mode has less energy than it has stored at the onset it breaks there.
    const V least = onset * V(static_cast<simd::scalar_t<V>>(1 + 1e-5));
    const V ultimate = simd::max(product * simd::inverse(onset), least);
    const V m = simd::max(modes.magnitude, onset);
    const V now = ultimate * (m - onset) * simd::inverse(m * (ultimate - onset));
    damage = simd::max(damage, simd::select(m >= ultimate, V(1), simd::min(now, V(1))));
  }
  point.failed = damage >= V(1);
  point.damage = damage;
  const V left = V(1) - damage;
  for (int k = 0; k < 2; ++k) point.s[k] = left * V(p.tangential) * point.d[k];
  const V normal = V(p.normal) * point.d[2];
  point.s[2] = simd::select(point.d[2] > V(0), left * normal, normal);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/cohesive_fields.hpp"

namespace crumple::materials {

struct OwnedCohesiveMixedMode {
  CohesiveMixedModeLaw law;
  SizedValues values;
};

/// A peak traction, or that of a given separation at failure: 2 G / U.
inline SizedValue peak_traction(const model::Model& model, const model::Material& material, const char* field,
                                const char* ultimate, const char* energy, SizedValues& values) {
  if (material.field(field) != 0) return values.read(model, material, field);
  if (!(material.field(energy) > 0) || !(material.field(ultimate) > 0))
    refuse(material, "CR-M103", field,
           fmt::format("{} is 0: it follows from {} and {}, which must both be positive", field, energy,
                       ultimate));
  return {2 * material.field(energy) / material.field(ultimate), false, {}};
}

/// Throws CR-M108 where the energy of a mode is less than that stored at the peak.
inline void check_energy(const model::Material& material, const SizedValue& peak, const SizedValue& energy,
                         double stiffness, double size, const char* name, const char* of) {
  const double t = value_at(peak, size), g = value_at(energy, size), stored = 0.5 * t * t / stiffness;
  if (!(g > stored))
    refuse(
        material, "CR-M108", of,
        fmt::format("{} is {:.4g}, less than the {:.4g} that a layer of the stiffness {:.4g} stores at the "
                    "peak traction {} = {:.4g}",
                    of, g, stored, stiffness, name, t));
}

inline Prepared prepare_cohesive_mixed_mode(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedCohesiveMixedMode>();
  CohesiveMixedModeLaw& law = owned->law;
  SizedValues& values = owned->values;
  law.normal = positive_field(material, "EN");
  law.tangential = positive_field(material, "ET");
  law.energy_1 = values.read(model, material, "GIC");
  law.energy_2 = values.read(model, material, "GIIC");
  law.tension = peak_traction(model, material, "T", "UND", "GIC", values);
  law.shear = peak_traction(model, material, "S", "UTD", "GIIC", values);
  const double xmu = material.field("XMU"), gamma = material.field("GAMMA", 1.0);
  if (xmu == 0) refuse(material, "CR-M103", "XMU", "XMU is 0: the exponent of a criterion for mixed modes");
  law.exponent = std::abs(xmu);
  law.benzeggagh_kenane = xmu < 0;
  if (gamma < 0) refuse(material, "CR-M108", "GAMMA", fmt::format("GAMMA is {}, it must be positive", gamma));
  law.inverse_gamma = gamma == 0 ? 1 : 1 / gamma;
  law.ratio_to_gamma = std::pow(law.tangential / law.normal, gamma == 0 ? 1 : gamma);
  for (const double size : values.sizes()) {
    check_energy(material, law.tension, law.energy_1, law.normal, size, "T", "GIC");
    check_energy(material, law.shear, law.energy_2, law.tangential, size, "S", "GIIC");
  }
  Prepared prepared = prepare_cohesive(material, std::max(law.normal, law.tangential));
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CohesiveMixedModeLaw, {.number = 138,
                                   .keyword = "MAT_COHESIVE_MIXED_MODE",
                                   .supports = {.cohesive = true},
                                   .cost = 2,
                                   .prepare = prepare_cohesive_mixed_mode})
