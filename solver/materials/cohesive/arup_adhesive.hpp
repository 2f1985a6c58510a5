// MAT_169 (*MAT_ARUP_ADHESIVE): a layer of bricks that yields in tension and shear across it, and softens to
// energies per area.
//
// LS-DYNA Keyword User's Manual, *MAT_ARUP_ADHESIVE. The layer is isotropic and elastic; the axis c goes
// through its thickness h. It stays normal to the faces: a layer slides by more than its thickness before it
// breaks, and the spin of such a motion turns the faces not at all. So the components of the stress along the
// axes are kept as history, and a and c are carried along by the deformation (as a line and as a normal). The
// tension s = max(s_cc, 0) and the shear t = |(s_bc, s_ca)| across the layer are limited by
//
//   (s / f TENMAX)^PWRT + (t / (f SHRMAX - SHT_SL s_cc))^PWRS = 1
//
// where f falls from 1 to 0. Flow is across the layer only, so it does not strain it in its plane: the stress
// comes back from the trial one along a line to the origin (in compression at s_cc, which stays). Its plastic
// displacement is h times what this takes off the elastic strain. Tension alone falls straight to 0 at the
// displacement 2 GCTEN / TENMAX; shear stays up to SHRP times that at which it is 0,
// 2 GCSHR / ((1 + SHRP) SHRMAX), and falls straight from there. The elastic part comes back, so these are
// also the works of the layer per area.
//
// The manual does not say how both modes soften together, nor how the layer unloads. Here their energies add
// up: with dq = s0 d(ds) / GCTEN + t0 d(dt) / GCSHR, s0 and t0 on the surface of f = 1, the spent share of
// the energy grows by f dq, and f falls by dq / 2 (1 - P) once that share is P, where P = 2 SHRP / (1 + SHRP)
// times the part of shear in it. For a constant mode the layer fails at GI / GCTEN + GII / GCSHR = 1. The
// step of f is exact for a straight path; it unloads with the elastic moduli. In compression t0 is SHRMAX.
//
// The plastic strain is for output, as in LS-DYNA: up to 1 the largest part of the way to yield, then 2 - f.
// A point fails at f = 0.
//
// History: the axes; h; 1 - f; spent energy, of both modes and of shear; stress along the axes.
#pragma once

#include <algorithm>
#include <memory>

#include "materials/hooke.hpp"
#include "materials/orthotropic/turning_axes.hpp"
#include "materials/power.hpp"

namespace crumple::materials {

struct ArupAdhesiveLaw {
  ElasticLaw elastic;
  double tension = 0, shear = 0;                ///< TENMAX, SHRMAX
  double energy_tension = 0, energy_shear = 0;  ///< GCTEN, GCSHR
  double power_tension = 2, power_shear = 2;    ///< PWRT, PWRS
  double slope = 0;                             ///< SHT_SL
  double plateau = 0;                           ///< share of it in the energy of shear

  static constexpr int kThickness = kSolidAxes, kSoftened = kSolidAxes + 1, kSpent = kSolidAxes + 2,
                       kSpentInShear = kSolidAxes + 3, kStress = kSolidAxes + 4, kHistory = kSolidAxes + 10;
};

inline namespace CRUMPLE_ISA {

/// The axes at the end of the step, kept in the history; strain of the step along them, with engineering
/// shears.
template <class V>
void carry_bond_axes(const SolidPoint<V>& point, V (&axis)[3][3], V (&d)[6]) {
  V tensor[6];
  for (int k = 0; k < 6; ++k) tensor[k] = k < 3 ? point.d[k] : V(0.5) * point.d[k];
  turn_axes(point, axis);
  V(&a)[3] = axis[0], (&b)[3] = axis[1], (&c)[3] = axis[2];
  constexpr int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  V line[3], normal[3];
  for (int i = 0; i < 3; ++i) {
    line[i] = a[i] + tensor[at[i][0]] * a[0] + tensor[at[i][1]] * a[1] + tensor[at[i][2]] * a[2];
    normal[i] = c[i] - tensor[at[i][0]] * c[0] - tensor[at[i][1]] * c[1] - tensor[at[i][2]] * c[2];
  }
  const auto unit = [](const V(&from)[3], V(&to)[3]) {
    const V scale = simd::inverse_sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    for (int i = 0; i < 3; ++i) to[i] = scale * from[i];
  };
  unit(normal, c);
  const V along = line[0] * c[0] + line[1] * c[1] + line[2] * c[2];
  for (int i = 0; i < 3; ++i) line[i] -= along * c[i];
  unit(line, a);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = c[j] * a[k] - c[k] * a[j];
  }
  for (int k = 0; k < 9; ++k) point.history.store(k, axis[k / 3][k % 3] - V(k % 4 == 0 ? 1.0 : 0.0));
  components_along(axis, tensor, d);
  for (int k = 3; k < 6; ++k) d[k] += d[k];
}

/// A trial stress against the surface of f = 1.
template <class V>
struct BondTrial {
  V normal, slide;      ///< s_cc, t
  V over;               ///< f of the surface on which it would lie
  V part;               ///< of it on the surface of f = 1, in tension
  V tension, shearing;  ///< dq of an f, by mode
};

/// Part of a trial stress in tension that lies on the surface, by Newton's method from beyond it: the
/// function is convex and grows, so it comes down to the root.
template <class V>
V part_on_bond_surface(const ArupAdhesiveLaw& p, V pull, V slide) {
  using T = simd::scalar_t<V>;
  const V tiny(static_cast<T>(1e-30)), tension(p.tension), shear(p.shear), slope(p.slope);
  V x = simd::min(tension * simd::inverse(simd::max(pull, tiny)),
                  shear * simd::inverse(simd::max(slide + slope * pull, tiny)));
  for (int k = 0; k < 8; ++k) {
    const V left = simd::inverse(shear - slope * x * pull);
    const V of_tension = power(x * pull * V(1 / p.tension), p.power_tension);
    const V of_shear = power(x * slide * left, p.power_shear);
    const V rise = V(p.power_tension) * of_tension + V(p.power_shear) * of_shear * shear * left;
    x *= V(1) - (of_tension + of_shear - V(1)) * simd::inverse(rise);
  }
  return x;
}

template <class V>
BondTrial<V> bond_trial(const ArupAdhesiveLaw& p, const V (&s)[6], V thickness) {
  const V tiny(static_cast<simd::scalar_t<V>>(1e-30));
  BondTrial<V> t;
  t.normal = s[2];
  t.slide = simd::sqrt(simd::max(s[4] * s[4] + s[5] * s[5], tiny));
  const auto pulled = s[2] > V(0);
  const V pull = simd::max(s[2], V(0));
  t.part = part_on_bond_surface(p, pull, t.slide);
  t.over = simd::select(pulled, simd::inverse(t.part), (t.slide + V(p.slope) * s[2]) * V(1 / p.shear));
  const V opening = t.part * pull, sliding = simd::select(pulled, t.part * t.slide, V(p.shear));
  const double modulus = p.elastic.lame + 2 * p.elastic.shear;
  t.tension = V(1 / (modulus * p.energy_tension)) * thickness * opening * opening;
  t.shearing = V(1 / (p.elastic.shear * p.energy_shear)) * thickness * sliding * sliding;
  return t;
}

/// f after the step where the trial stress is beyond the surface; adds to the spent energy.
template <class V>
V soften_bond(const ArupAdhesiveLaw& p, const BondTrial<V>& t, simd::mask_t<V> yields, V f,
              const History<simd::scalar_t<V>>& history) {
  const V tiny(static_cast<simd::scalar_t<V>>(1e-30));
  const V spent = history.template load<V>(p.kSpent), in_shear = history.template load<V>(p.kSpentInShear);
  const V both = t.tension + t.shearing, beyond = t.over - f;
  const V sum = simd::max(spent + beyond * both, tiny);
  const V end_of_plateau = V(p.plateau) * (in_shear + beyond * t.shearing) * simd::inverse(sum);
  const V fall = V(0.5) * both * simd::inverse(V(1) - end_of_plateau);
  const V rest = simd::max(V(1) - fall, V(static_cast<simd::scalar_t<V>>(1e-6)));
  const V softer = simd::max((f - t.over * fall) * simd::inverse(rest), V(0));
  const V after = simd::select(yields && spent >= end_of_plateau, simd::min(softer, f), f);
  const V share = V(0.5) * (f + after) * (t.over - after);
  history.store(p.kSpent, simd::select(yields, spent + share * both, spent));
  history.store(p.kSpentInShear, simd::select(yields, in_shear + share * t.shearing, in_shear));
  history.store(p.kSoftened, V(1) - after);
  return after;
}

/// The stress on the surface of f.
template <class V>
void return_to_bond_surface(const ArupAdhesiveLaw& p, const BondTrial<V>& t, simd::mask_t<V> yields, V f,
                            V (&s)[6]) {
  const auto pulled = t.normal > V(0);
  const V radial = f * t.part;
  const V pressed = (f * V(p.shear) - V(p.slope) * t.normal) * simd::inverse(t.slide);
  const V of_shear = simd::select(yields, simd::select(pulled, radial, pressed), V(1));
  const V of_tension = simd::select(yields && pulled, radial, V(1));
  const V change = (of_tension - V(1)) * t.normal;
  const V in_plane = V(p.elastic.lame / (p.elastic.lame + 2 * p.elastic.shear)) * change;
  s[0] += in_plane;
  s[1] += in_plane;
  s[2] += change;
  s[4] *= of_shear;
  s[5] *= of_shear;
}

template <class V>
void update_solid(const ArupAdhesiveLaw& p, SolidPoint<V>& point) {
  V axis[3][3], d[6], s[6];
  carry_bond_axes(point, axis, d);
  for (int k = 0; k < 6; ++k) s[k] = point.history.template load<V>(p.kStress + k);
  add_elastic_solid(p.elastic, d, s);
  const V thickness = point.history.template load<V>(p.kThickness), half = V(0.5) * d[2];
  point.history.store(p.kThickness, thickness * (V(1) + half) * simd::inverse(V(1) - half));
  const V before = V(1) - point.history.template load<V>(p.kSoftened);
  const BondTrial<V> trial = bond_trial(p, s, thickness * (V(1) + half));
  const auto yields = trial.over > before && before > V(0);
  const V after = soften_bond(p, trial, yields, before, point.history);
  return_to_bond_surface(p, trial, yields, after, s);
  const V way = trial.over * simd::inverse(simd::max(before, V(static_cast<simd::scalar_t<V>>(1e-6))));
  const V level = simd::select(yields, V(2) - after, simd::min(way, V(1)));
  point.plastic_strain = simd::max(point.plastic_strain, level);
  point.failed = after <= V(0);
  for (int k = 0; k < 6; ++k) {
    s[k] = simd::select(point.failed, V(0), s[k]);
    point.history.store(p.kStress + k, s[k]);
    point.s[k] = V(0);
  }
  add_from_axes(axis, s, point.s);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/adhesive_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A strength or an energy, not above `most`. Throws CR-M105 for a function.
inline double adhesive_limit(const model::Material& material, const char* field, double most) {
  if (material.field(field) < 0)
    refuse(material, "CR-M105", field,
           fmt::format("{} is {}: a function of the time or the state is not supported", field,
                       material.field(field)));
  return std::min(positive_field(material, field), most);
}

/// An exponent of the surface, which must be convex. Throws CR-M108.
inline double adhesive_power(const model::Material& material, const char* field) {
  const double exponent = material.field(field, 2.0);
  if (!(exponent >= 1))
    refuse(material, "CR-M108", field, fmt::format("{} is {}: it must be at least 1", field, exponent));
  return exponent;
}

inline Prepared prepare_arup_adhesive(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  ArupAdhesiveLaw law;
  const double young = prepared.elastic.young, huge = kHugeStrength * young;
  law.elastic = elastic_law(young, prepared.elastic.poisson);
  law.tension = adhesive_limit(material, "TENMAX", huge);
  law.shear = adhesive_limit(material, "SHRMAX", huge);
  law.energy_tension = adhesive_limit(material, "GCTEN", 1e20);
  law.energy_shear = adhesive_limit(material, "GCSHR", 1e20);
  law.power_tension = adhesive_power(material, "PWRT");
  law.power_shear = adhesive_power(material, "PWRS");
  const double ratio = material.field("SHRP"), direction = material.field("THKDIR");
  if (ratio < 0 || ratio >= 1)
    refuse(material, ratio < 0 ? "CR-M105" : "CR-M108", "SHRP",
           fmt::format("SHRP is {}: a ratio from 0 to below 1, no function", ratio));
  law.plateau = share_of_plateau(material);
  law.slope = not_negative_field(material, "SHT_SL");
  if (law.slope * law.tension >= law.shear)
    refuse(material, "CR-M108", "SHT_SL",
           fmt::format("SHT_SL is {}: the shear strength {} would be gone below the tension {}", law.slope,
                       law.shear, law.tension));
  if (direction != 0 && direction != 1)
    refuse(material, "CR-M108", "THKDIR", fmt::format("THKDIR is {}: 0 or 1", direction));
  prepared.parameters = std::make_shared<ArupAdhesiveLaw>(law);
  prepared.n_history = ArupAdhesiveLaw::kHistory;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ArupAdhesiveLaw, {.number = 169,
                              .keyword = "MAT_ARUP_ADHESIVE",
                              .supports = {.solid = true},
                              .needs = {.material_axes = true, .layer_thickness = true},
                              .elastic_fields = true,
                              .cost = 4,
                              .prepare = prepare_arup_adhesive})
