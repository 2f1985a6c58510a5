// MAT_240 (*MAT_COHESIVE_MIXED_MODE_ELASTOPLASTIC_RATE): elastic, ideally plastic, then softening tractions,
// with rates.
//
// Marzi, Hesebeck, Brede and Kleiner (2009), "A Rate-Dependent, Elasto-Plastic Cohesive Zone Mixed-Mode Model
// for Crash Analysis of Adhesively Bonded Joints", 7th European LS-DYNA Conference, and the LS-DYNA Keyword
// User's Manual. The stiffnesses are EN = EMOD / THICK and ET = GMOD / THICK. In a mode alone the traction
// rises to the strength, T or S, at d1 = T / EN, stays to d2 and falls to 0 at dF, where the area below it is
// GIC:
//
//   FG1 >= 0: FG1 is the share of the plateau in the energy,        d2 = d1 + FG1 GIC / T,
//   FG1 < 0: |FG1| is that in the separations, (d2 - d1)/(dF - d1),  d2 = (d1 + 2 |FG1| GIC / T) / (1 +
//   |FG1|).
//
// With dI = max(d3, 0), dII and dm, and the shares c = dI / dm and s = dII / dm, yield (k = 1) and damage
// (k = 2) of a mixed mode begin at
//
//   dmk = ((c / dIk)^m + (s / dIIk)^m)^(-1/m), m = 2 or |INICRT|; INICRT = 1 or 2: the smaller of dIk / c and
//   dIIk / s,
//
// and the point fails where the energies of both modes meet GI / GIC + GII / GIIC = 1:
//
//   dmF = dm1 - dm2 + 2 / (dm1 (EN c^2 / GIC + ET s^2 / GIIC)),   D = (dm - dm2) / (dmF - dm2), the largest.
//
// The elastic part of the opening is at most dm1 c, the rest is plastic; plastic opening does not decrease.
// That of the sliding is at most dm1 s: what is more becomes plastic along the elastic part, so that reversed
// sliding yields at -S. Tractions are (1 - D) EN and (1 - D) ET times the elastic parts; where the elastic
// part of the opening is negative there is no damage.
//
// Rates: with the rate e of the separation over THICK, T = |T0| + |T1| max(0, ln(e / EDOT_T)), of the square
// of the logarithm with T1 > 0, and GIC = |G1C_0| + (G1C_INF - |G1C_0|) exp(-EDOT_G1 / e), if T0 and G1C_0
// are negative; S and GIIC alike. The rate of a point is that at which it first yields.
//
// History: 0 thickness of the element if THICK is not given; 1 2 plastic sliding, 3 plastic opening; 4 rate,
// 5 whether it has yielded; 6 to 8 the separation before.
#pragma once

#include <algorithm>
#include <memory>

#include "materials/cohesive/cohesive_point.hpp"
#include "materials/cohesive/sized_value.hpp"
#include "materials/power.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct ElastoplasticMode {
  double modulus = 0;                                           ///< EMOD or GMOD
  double strength = 0, strength_growth = 0, strength_rate = 1;  ///< |T0|, |T1|, EDOT_T
  bool squared = false;                                         ///< T1 > 0
  SizedValue energy;                                            ///< |G1C_0|, or over the thickness
  double energy_growth = 0, energy_rate = 1;                    ///< G1C_INF - |G1C_0|, EDOT_G1
  double plateau = 0;                                           ///< |FG1|
  bool by_separation = false;                                   ///< FG1 < 0
};

struct CohesiveElastoplasticRateLaw {
  ElastoplasticMode one, two;
  double thickness = 0;  ///< THICK; 0: that of the element
  double exponent = 2;   ///< of the criterion; 0: the larger of both modes counts
};

inline namespace CRUMPLE_ISA {

/// A mode at a rate: its stiffness, separations at yield and at the begin of damage, energy.
template <class V>
struct ModeAtRate {
  V stiffness, yield, damage, energy;
};

template <class V>
ModeAtRate<V> mode_at_rate(const ElastoplasticMode& mode, V thickness, V rate) {
  V strength = V(mode.strength), energy = value_at(mode.energy, thickness);
  if (mode.strength_growth != 0) {
    const V logarithm = simd::log(simd::max(V(1 / mode.strength_rate) * rate, V(1)));
    strength += V(mode.strength_growth) * (mode.squared ? logarithm * logarithm : logarithm);
  }
  if (mode.energy_growth != 0) {  // exp(-100) is nothing
    const V ratio = V(mode.energy_rate) * simd::inverse(simd::max(rate, V(0.01 * mode.energy_rate)));
    energy += V(mode.energy_growth) * simd::exp(-ratio);
  }
  const V stiffness = V(mode.modulus) * simd::inverse(thickness), yield = strength * simd::inverse(stiffness);
  const V plateau = V(mode.plateau) * energy * simd::inverse(strength);
  const V damage =
      mode.by_separation ? V(1 / (1 + mode.plateau)) * (yield + V(2) * plateau) : yield + plateau;
  return {stiffness, yield, damage, energy};
}

/// Separation of a mixed mode at which that of mode I alone is `one`, of mode II alone `two`.
template <class V>
V mixed_separation(double exponent, V share, V one, V two) {
  const V ratio = one * simd::inverse(two), of_one = V(1) - share, of_two = share * ratio * ratio;
  if (exponent == 2) return one * simd::inverse_sqrt(of_one + of_two);
  if (exponent == 0) return one * simd::inverse_sqrt(simd::max(of_one, of_two));
  return one * power(power(of_one, 0.5 * exponent) + power(of_two, 0.5 * exponent), -1 / exponent);
}

/// Rate of the separation over the thickness; the separation is kept for the next step.
template <class V>
V separation_rate(const CohesivePoint<V>& point, V thickness) {
  V square = V(0);
  for (int k = 0; k < 3; ++k) {
    const V change = point.d[k] - point.history.template load<V>(6 + k);
    square += change * change;
    point.history.store(6 + k, point.d[k]);
  }
  const V time = simd::max(point.dt, no_separation<V>());
  return simd::sqrt(simd::max(square, no_separation<V>())) * simd::inverse(time * thickness);
}

/// Moves the plastic separations so that the elastic ones are at most `onset` in the mode; the elastic ones.
template <class V>
void plastic_return(const Modes<V>& modes, V onset, CohesivePoint<V>& point, V (&elastic)[3]) {
  V plastic[3];
  for (int k = 0; k < 3; ++k) plastic[k] = point.history.template load<V>(1 + k);
  const V opening = onset * modes.opening * simd::inverse(modes.magnitude);
  plastic[2] = simd::max(plastic[2], modes.opening - opening);
  const V a = point.d[0] - plastic[0], b = point.d[1] - plastic[1];
  const V slid = simd::sqrt(simd::max(a * a + b * b, no_separation<V>()));
  const V sliding = onset * simd::sqrt(simd::max(modes.share, no_separation<V>()));
  const V part = simd::max(V(1) - sliding * simd::inverse(slid), V(0));
  plastic[0] += part * a;
  plastic[1] += part * b;
  for (int k = 0; k < 3; ++k) {
    point.history.store(1 + k, plastic[k]);
    elastic[k] = point.d[k] - plastic[k];
  }
}

/// Damage of a mixed mode, not below that so far.
template <class V>
V plateau_damage(const CohesiveElastoplasticRateLaw& p, const Modes<V>& modes, const ModeAtRate<V>& one,
                 const ModeAtRate<V>& two, V onset, V damage) {
  const V begin = mixed_separation(p.exponent, modes.share, one.damage, two.damage);
  const V per_energy = (V(1) - modes.share) * one.stiffness * simd::inverse(one.energy) +
                       modes.share * two.stiffness * simd::inverse(two.energy);
  // Where a mixed mode has no energy left after its plateau it breaks there.
  const V least = begin * V(static_cast<simd::scalar_t<V>>(1 + 1e-5));
  const V end = simd::max(onset - begin + V(2) * simd::inverse(onset * per_energy), least);
  const V m = simd::max(modes.magnitude, begin);
  const V now = (m - begin) * simd::inverse(end - begin);
  return simd::max(damage, simd::select(m >= end, V(1), simd::min(now, V(1))));
}

template <class V>
void update_cohesive(const CohesiveElastoplasticRateLaw& p, CohesivePoint<V>& point) {
  const V thickness = p.thickness > 0 ? V(p.thickness) : point.history.template load<V>(0);
  const Modes<V> modes = modes_of(point.d);
  const V had_yielded = point.history.template load<V>(5), now = separation_rate(point, thickness);
  const V rate = simd::select(had_yielded > V(0), point.history.template load<V>(4), now);
  const ModeAtRate<V> one = mode_at_rate(p.one, thickness, rate), two = mode_at_rate(p.two, thickness, rate);
  const V onset = mixed_separation(p.exponent, modes.share, one.yield, two.yield);
  point.history.store(4, rate);
  point.history.store(5, simd::select(modes.magnitude > onset, V(1), had_yielded));
  V elastic[3];
  plastic_return(modes, onset, point, elastic);
  point.damage = plateau_damage(p, modes, one, two, onset, point.damage);
  point.failed = point.damage >= V(1);
  const V left = V(1) - point.damage;
  for (int k = 0; k < 2; ++k) point.s[k] = left * two.stiffness * elastic[k];
  const V normal = one.stiffness * elastic[2];
  point.s[2] = simd::select(elastic[2] > V(0), left * normal, normal);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/cohesive_fields.hpp"

namespace crumple::materials {

struct OwnedElastoplasticRate {
  CohesiveElastoplasticRateLaw law;
  SizedValues values;
};

/// Names of the fields of a mode.
struct ElastoplasticModeFields {
  const char *modulus, *energy, *last_energy, *energy_rate, *strength, *growth, *strength_rate, *plateau,
      *energy_curve;
};

inline void read_mode_strength(const model::Material& material, const ElastoplasticModeFields& of,
                               ElastoplasticMode& mode) {
  const double strength = material.field(of.strength), growth = material.field(of.growth);
  if (strength == 0) positive_field(material, of.strength);
  mode.strength = std::abs(strength);
  if (strength > 0 || growth == 0) return;
  mode.strength_growth = std::abs(growth);
  mode.squared = growth > 0;
  mode.strength_rate = positive_field(material, of.strength_rate);
}

inline void read_mode_energy(const model::Model& model, const model::Material& material,
                             const ElastoplasticModeFields& of, SizedValues& values,
                             ElastoplasticMode& mode) {
  if (const double id = material.field(of.energy_curve); id != 0) {
    mode.energy = values.curve(model, material, of.energy_curve, static_cast<GlobalId>(id));
    return;
  }
  const double energy = material.field(of.energy);
  if (energy == 0) positive_field(material, of.energy);
  mode.energy = {std::abs(energy), false, {}};
  if (energy > 0) return;
  mode.energy_growth = positive_field(material, of.last_energy) - std::abs(energy);
  mode.energy_rate = positive_field(material, of.energy_rate);
}

/// Throws CR-M108 where the plateau and the elastic part leave nothing of the energy, at rest.
inline void check_plateau(const model::Material& material, const ElastoplasticModeFields& of,
                          const ElastoplasticMode& mode, double thickness) {
  if (mode.plateau >= 1)
    refuse(material, "CR-M108", of.plateau,
           fmt::format("{} is {}: a share, between -1 and 1", of.plateau, material.field(of.plateau)));
  if (thickness <= 0) return;
  const double energy = value_at(mode.energy, thickness);
  const double elastic = 0.5 * mode.strength * mode.strength * thickness / mode.modulus;
  const double needed = elastic + (mode.by_separation ? 0 : mode.plateau * energy);
  if (!(energy > needed))
    refuse(material, "CR-M108", of.energy,
           fmt::format("the energy {:.4g} of {} is not more than the {:.4g} that the layer stores at the "
                       "strength {:.4g}, and its share {} of the plateau",
                       energy, of.energy, elastic, mode.strength, of.plateau));
}

inline ElastoplasticMode elastoplastic_mode(const model::Model& model, const model::Material& material,
                                            const ElastoplasticModeFields& of, double thickness,
                                            SizedValues& values) {
  ElastoplasticMode mode;
  mode.modulus = positive_field(material, of.modulus);
  read_mode_strength(material, of, mode);
  read_mode_energy(model, material, of, values, mode);
  mode.plateau = std::abs(material.field(of.plateau));
  mode.by_separation = material.field(of.plateau) < 0;
  check_plateau(material, of, mode, thickness);
  return mode;
}

inline Prepared prepare_cohesive_elastoplastic_rate(const model::Model& model,
                                                    const model::Material& material) {
  const auto owned = std::make_shared<OwnedElastoplasticRate>();
  CohesiveElastoplasticRateLaw& law = owned->law;
  law.thickness = std::max(0.0, material.field("THICK"));
  law.one = elastoplastic_mode(model, material,
                               {"EMOD", "G1C_0", "G1C_INF", "EDOT_G1", "T0", "T1", "EDOT_T", "FG1", "LCG1C"},
                               law.thickness, owned->values);
  law.two = elastoplastic_mode(model, material,
                               {"GMOD", "G2C_0", "G2C_INF", "EDOT_G2", "S0", "S1", "EDOT_S", "FG2", "LCG2C"},
                               law.thickness, owned->values);
  const double criterion = material.field("INICRT");
  if (criterion > 0 && criterion != 1 && criterion != 2)
    refuse(material, "CR-M108", "INICRT",
           fmt::format("INICRT is {}: 0, 1, 2, or minus an exponent", criterion));
  law.exponent = criterion == 0 ? 2 : criterion > 0 ? 0 : -criterion;
  const double modulus = std::max(law.one.modulus, law.two.modulus);
  constexpr int n_history = 9;
  Prepared prepared =
      prepare_cohesive(material, law.thickness > 0 ? modulus / law.thickness : modulus, n_history);
  prepared.cohesive.by_thickness = law.thickness <= 0;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CohesiveElastoplasticRateLaw, {.number = 240,
                                           .keyword = "MAT_COHESIVE_MIXED_MODE_ELASTOPLASTIC_RATE",
                                           .supports = {.cohesive = true},
                                           .cost = 3,
                                           .prepare = prepare_cohesive_elastoplastic_rate})
