// MAT_058 (*MAT_LAMINATED_COMPOSITE_FABRIC): laminae, laminates and fabrics that soften by damage, in shells.
//
// Matzenmiller, Lubliner and Taylor (1995, Mech. Mater. 20, p. 125) in the form for LS-DYNA of Schweizerhof,
// Weimar, Munz and Rottner (1998, 5th International LS-DYNA Conference). Compliance and effective stresses
// are in damaged_plane.hpp; the damage of a mode with strength X and modulus E is that of a bundle of fibres
// (Weibull 1939),
//
//   1 - w = exp(-r^m / (m e)),   m = 1 / ln(E e_X / X),   e = 2.718...,
//
// r the largest value so far of the mode's effective stress over X: under one stress r = E strain / X, and
// the stress has its maximum, X, at the strain e_X, which the cards give. r by the failure surface FS, <x> =
// x where positive, t = |s_ab| / SC:
//
//   FS = -1  faceted       r_a = <+-s_a> / X         r_b = <+-s_b> / Y         r_s = t
//   FS =  0  one direction r_a = <+-s_a> / X         r_b^2 = <+-s_b>^2 / Y^2 + t^2, r_s = r_b
//   FS =  1  fabric        r_a^2 = <+-s_a>^2 / X^2 + t^2, r_b as FS = 0, r_s the larger of r_a and r_b
//
// in effective stresses; those of the normal stresses with the damage of the step before. Axes a and b have
// tension and compression as modes of their own. With FS = -1 and TAU1 the shear stress has the
// form of the law with TAU1 and GAMMA1 up to there, then is straight to SC at GMS, and then as without TAU1.
//
// After the maximum the stress of a mode does not fall below SLIM X: 1 - w >= SLIM / r. Unloading goes to the
// origin. Transverse shears lose TSMD (g - EPSF) / (EPSR - EPSF) of their moduli, from 0 to TSMD,
// g^2 = g_bc^2 + g_ca^2 of engineering strains. A point ends when the effective strain exceeds ERODS,
// sqrt(4/3 (e_a^2 + e_a e_b + e_b^2 + e_ab^2)).
//
// History: the axes; strains and thickness (damaged_plane.hpp); damage in tension and compression of a, of b,
// of shear, of transverse shear; whether the point has ended.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/damaged_plane.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// One mode of failure.
struct BundleMode {
  double strength = 0;
  double m = 0;
  double factor = 0;  ///< 1 / (m e)
  double peak = 0;    ///< r of the largest stress, e^(1/m)
  double limit = 0;   ///< SLIM
};

struct LaminatedFabricLaw {
  DamagedPlane plane;
  BundleMode a_pulled, a_pressed, b_pulled, b_pressed, sheared;
  BundleMode first_shear;                                ///< up to GAMMA1; strength 0: none
  double first_strain = 0, slope = 0, shear_strain = 0;  ///< GAMMA1, of the straight part, GMS
  bool fabric = false, direction = false;                ///< FS = 1, FS = 0
  double begin = 0, per_strain = 0, most = 0;            ///< EPSF, TSMD / (EPSR - EPSF), TSMD
  double end_strain = 0;                                 ///< ERODS, 0: none

  static constexpr int kStrain = kShellAxes;
  static constexpr int kDamage = kStrain + DamagedPlane::kHistory;
  static constexpr int kModes = 6, kEnded = kDamage + kModes;
  static constexpr int kHistory = kEnded + 1;
};

inline namespace CRUMPLE_ISA {

/// 1 - w of a mode.
template <class V>
V left_of_bundle(const BundleMode& mode, V r) {
  // Beyond these numbers nothing is left; they keep single precision finite.
  const V power = simd::exp(simd::min(V(mode.m) * simd::log(simd::max(r, V(1e-9))), V(60)));
  const V left = simd::exp(V(0) - simd::min(power * V(mode.factor), V(80)));
  const V limit = simd::select(r > V(mode.peak), V(mode.limit) / simd::max(r, V(1)), V(0));
  return simd::max(left, limit);
}

/// 1 - w of shear; r of its strength, `strain` in size.
template <class V>
V left_of_shear(const LaminatedFabricLaw& p, V r, V strain) {
  const V left = left_of_bundle(p.sheared, r);
  if (p.first_shear.strength == 0) return left;
  const V elastic = V(p.plane.shear) * strain, begin(p.first_strain);
  const V first = left_of_bundle(p.first_shear, elastic * V(1 / p.first_shear.strength));
  const V straight = (V(p.first_shear.strength) + V(p.slope) * (strain - begin)) /
                     simd::max(elastic, V(1e-3 * p.first_shear.strength));
  return simd::select(strain < begin, first, simd::select(strain < V(p.shear_strain), straight, left));
}

/// r of the modes: a pulled and pressed, b pulled and pressed, shear.
template <class V>
void loads_of(const LaminatedFabricLaw& p, V a, V b, V strain, V (&r)[5]) {
  const V zero(0), shear = V(p.plane.shear / p.sheared.strength) * strain;
  const V normal[4] = {a * V(1 / p.a_pulled.strength), a * V(-1 / p.a_pressed.strength),
                       b * V(1 / p.b_pulled.strength), b * V(-1 / p.b_pressed.strength)};
  for (int k = 0; k < 4; ++k) {
    r[k] = simd::max(normal[k], zero);
    if (k < 2 ? p.fabric : p.fabric || p.direction)
      r[k] = simd::sqrt(simd::max(r[k] * r[k] + shear * shear, V(1e-20)));
  }
  r[4] = shear;
  if (p.fabric || p.direction) r[4] = simd::max(r[2], r[3]);
  if (p.fabric) r[4] = simd::max(r[4], simd::max(r[0], r[1]));
}

/// Lets the damage of all modes grow.
template <class V>
void grow_damage(const LaminatedFabricLaw& p, const V (&e)[5], V (&w)[6]) {
  const V zero(0), one(1);
  const auto old = effective_plane(p.plane, AxisDamage<V>{w[0], w[1], w[2], w[3]}, e[0], e[1]);
  const V strain = simd::max(e[2], zero - e[2]);
  V r[5];
  loads_of(p, old.a, old.b, strain, r);
  const BundleMode* const modes[4] = {&p.a_pulled, &p.a_pressed, &p.b_pulled, &p.b_pressed};
  for (int k = 0; k < 4; ++k) w[k] = simd::max(w[k], one - left_of_bundle(*modes[k], r[k]));
  w[4] = simd::max(w[4], one - left_of_shear(p, r[4], strain));
  if (p.most == 0) return;
  const V across = simd::sqrt(simd::max(e[3] * e[3] + e[4] * e[4], V(1e-20)));
  const V lost = simd::min(simd::max(V(p.per_strain) * (across - V(p.begin)), zero), V(p.most));
  w[5] = simd::max(w[5], lost);
}

template <class V>
void update_shell(const LaminatedFabricLaw& p, ShellPoint<V>& point) {
  using Law = LaminatedFabricLaw;
  const V zero(0), one(1);
  V ended = point.history.template load<V>(Law::kEnded);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    V e[DamagedPlane::kStrains], w[Law::kModes];
    add_strain(p.plane, point, Law::kStrain, d, s, e);
    for (int k = 0; k < Law::kModes; ++k) w[k] = point.history.template load<V>(Law::kDamage + k);
    grow_damage(p, e, w);
    for (int k = 0; k < Law::kModes; ++k) point.history.store(Law::kDamage + k, w[k]);
    const auto now = effective_plane(p.plane, AxisDamage<V>{w[0], w[1], w[2], w[3]}, e[0], e[1]);
    s[0] = now.left_a * now.a;
    s[1] = now.left_b * now.b;
    s[3] = (one - w[4]) * V(p.plane.shear) * e[2];
    s[4] = (one - w[5]) * V(p.plane.shear_bc) * e[3];
    s[5] = (one - w[5]) * V(p.plane.shear_ca) * e[4];
    if (p.end_strain > 0)
      ended = simd::select(effective_strain_squared(e) > V(p.end_strain * p.end_strain), one, ended);
    d[2] = thickness_change(p.plane, point, Law::kStrain, s[0], s[1]);
  });
  const auto gone = ended > zero;
  for (V& of : point.s) of = simd::select(gone, zero, of);
  point.d[2] = simd::select(gone, zero, point.d[2]);
  point.history.store(Law::kEnded, ended);
  point.failed = gone;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace laminated_fabric {

/// A mode from its fields. Throws CR-M103 without strength or strain, CR-M108 for a strain that is not beyond
/// that of the modulus, or a limit that is not between 0 and 1.
inline BundleMode bundle_mode(const model::Material& material, double modulus, const std::string& strength,
                              const std::string& strain, const std::string& limit) {
  BundleMode mode;
  mode.strength = positive_field(material, strength);
  const double over = modulus * positive_field(material, strain) / mode.strength;
  constexpr double least = 1.001;  // m <= 1000
  if (!(over > least))
    refuse(material, "CR-M108", strain,
           fmt::format("{} is the strain at the strength {}: it must be larger than {:.4g}, strength over "
                       "modulus, by more than 0.1 %, and is {:.4g}",
                       strain, strength, mode.strength / modulus, material.field(strain)));
  mode.m = 1 / std::log(over);
  mode.factor = 1 / (mode.m * std::exp(1.0));
  mode.peak = over;
  if (!limit.empty()) {
    mode.limit = material.field(limit);
    if (!(mode.limit >= 0 && mode.limit <= 1))
      refuse(material, "CR-M108", limit, fmt::format("{} must lie between 0 and 1", limit));
    mode.limit = std::max(mode.limit, 1e-8);
  }
  return mode;
}

/// Fields that are numbers of curves where they are negative.
inline void refuse_curves(const model::Material& material) {
  for (const char* modulus : {"EA", "EB", "GAB"})
    if (material.field(modulus) < 0)
      refuse(material, "CR-M105", modulus,
             fmt::format("curves and tables of the elastic stress ({} < 0) are not supported", modulus));
}

inline void read_shear(const model::Material& material, LaminatedFabricLaw& law) {
  const double shear = law.plane.shear;
  law.sheared = bundle_mode(material, shear, "SC", "GMS", "SLIMS");
  law.shear_strain = material.field("GMS");
  if (law.fabric || law.direction || material.field("TAU1") == 0) return;
  law.first_shear = bundle_mode(material, shear, "TAU1", "GAMMA1", "");
  law.first_strain = material.field("GAMMA1");
  law.slope = (law.sheared.strength - law.first_shear.strength) / (law.shear_strain - law.first_strain);
  if (!(law.shear_strain > law.first_strain) || law.slope < 0 ||
      law.slope > law.first_shear.strength / law.first_strain)
    refuse(material, "CR-M108", "TAU1",
           "the shear stress must rise from TAU1 at GAMMA1 to SC at GMS, and less than up to GAMMA1");
}

inline void read_transverse(const model::Material& material, LaminatedFabricLaw& law) {
  law.begin = not_negative_field(material, "EPSF");
  if (law.begin == 0) return;
  const double end = positive_field(material, "EPSR");
  law.most = material.field("TSMD", 0.9);
  if (law.most == 0) law.most = 0.9;
  if (!(end > law.begin)) refuse(material, "CR-M108", "EPSR", "EPSR must be larger than EPSF");
  if (!(law.most > 0 && law.most < 1)) refuse(material, "CR-M108", "TSMD", "TSMD must lie between 0 and 1");
  law.per_strain = law.most / (end - law.begin);
}

}  // namespace laminated_fabric

inline Prepared prepare_laminated_fabric(const model::Model&, const model::Material& given) {
  laminated_fabric::refuse_curves(given);
  model::Material material = given;
  if (material.field("PRCA") == 0) material.fields["PRCA"] = material.field("PRBA");
  LaminatedFabricLaw law;
  const PlaneStiffness q = plane_stiffness(material);
  law.plane = damaged_plane(q);
  const double surface = material.field("FS");
  if (surface != -1 && surface != 0 && surface != 1)
    refuse(material, "CR-M105", "FS", fmt::format("FS = {} is not supported; -1, 0 and 1 are", surface));
  law.fabric = surface == 1;
  law.direction = surface == 0;
  using laminated_fabric::bundle_mode;
  law.a_pulled = bundle_mode(material, law.plane.young_a, "XT", "E11T", "SLIMT1");
  law.a_pressed = bundle_mode(material, law.plane.young_a, "XC", "E11C", "SLIMC1");
  law.b_pulled = bundle_mode(material, law.plane.young_b, "YT", "E22T", "SLIMT2");
  law.b_pressed = bundle_mode(material, law.plane.young_b, "YC", "E22C", "SLIMC2");
  laminated_fabric::read_shear(material, law);
  laminated_fabric::read_transverse(material, law);
  law.end_strain = material.field("ERODS");
  if (law.end_strain < 0)
    refuse(material, "CR-M105", "ERODS",
           "ERODS < 0, a limit of the effective strain of the full tensor, is not supported");
  Prepared prepared = prepare_plane(material, q);
  prepared.min_time_step = not_negative_field(material, "TSIZE");
  prepared.n_history = LaminatedFabricLaw::kHistory;
  prepared.parameters = std::make_shared<LaminatedFabricLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LaminatedFabricLaw, {.number = 58,
                                 .keyword = "MAT_LAMINATED_COMPOSITE_FABRIC",
                                 .supports = {.shell = true},
                                 .needs = {.material_axes = true},
                                 .young_field = "EA",
                                 .cost = 3,
                                 .prepare = prepare_laminated_fabric})
