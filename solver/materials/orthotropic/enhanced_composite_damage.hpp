// MAT_054 and MAT_055 (*MAT_ENHANCED_COMPOSITE_DAMAGE): a lamina with strengths, ideally plastic until limits
// of strain, in shells.
//
// With the axes a along and b across the fibres, the stress stays within (CRIT = 54: Chang and Chang 1987, J.
// Compos. Mater. 21, p. 834; CRIT = 55: Tsai and Wu 1971, J. Compos. Mater. 5, p. 58; fibres: Hashin 1980, J.
// Appl. Mech. 47, p. 329):
//
//   fibre, tension      (s_a / XT)^2 + BETA (s_ab / SC)^2 <= 1
//   fibre, compression  (s_a / XC)^2 <= 1
//   matrix, tension     (s_b / YT)^2 + (s_ab / SC)^2 <= 1
//   matrix, compression (s_b / 2 SC)^2 + ((YC / 2 SC)^2 - 1) s_b / YC + (s_ab / SC)^2 <= 1
//   matrix, CRIT = 55   s_b^2 / (YC YT) + (s_ab / SC)^2 + (YC - YT) s_b / (YC YT) <= 1
//
// LS-DYNA's moduli of a mode are 0 once it fails, so that its stresses stay (Hallquist 2006, LS-DYNA Theory
// Manual, material 54; Wade, Feraboli and Osborne 2012, JAMS). Here the stresses s_b and s_ab of the matrix,
// or s_a of the fibre, are scaled back to the limit, and the plastic strain has their direction: in monotonic
// loading this is the same, since s_a then grows by EA and s_b by EB, without Poisson's ratio. Unloading is
// elastic; with moduli that are 0 it would give energy. A layer has no stress any more after
//
//   fibres in tension at their strength, if DFAILT = 0; else e_a > DFAILT, or e_a < DFAILC;
//   |e_b| > DFAILM, |gamma_ab| / 2 > DFAILS, sqrt(4/3 (e_a^2 + e_a e_b + e_b^2 + e_ab^2)) > EFS
//
// where they are given. After failure of the matrix in compression the strengths of fibres are FBRT XT (FBRT
// > 0) and YCFAC YC, if that is less than XC. Shear softens as gamma = tau / G + ALPH tau^3.
//
// History: the axes; strains e_a, e_b, gamma_ab; whether the matrix has failed in compression.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/composite_damage.hpp"

namespace crumple::materials {

struct EnhancedCompositeLaw {
  PlaneStiffness q;
  double alpha = 0, beta = 0;
  double xt = 0, xc = 0, yt = 0, yc = 0, sc = 0;
  double weak_xt = 0, weak_xc = 0;  ///< after failure of the matrix in compression
  bool tsai_wu = false;
  double strain_t = 0, strain_c = 0, strain_m = 0, strain_s = 0, strain_e = 0;  ///< limits, 0: none

  static constexpr int kStrain = kShellAxes, kCrushed = kShellAxes + 3;
  static constexpr int kHistory = kShellAxes + 4;
};

inline namespace CRUMPLE_ISA {

/// The factor x <= 1 with which x^2 square + x line = 1, where square + line > 1; else 1.
template <class V>
V back_to_limit(V square, V line) {
  const V one(1), safe = simd::max(square, V(1e-30));
  const V root = simd::sqrt(line * line + V(4) * safe);
  return simd::select(square + line > one, (root - line) / (safe + safe), one);
}

/// The criterion of the matrix: parts of second and first degree in the stress.
template <class V>
void matrix_criterion(const EnhancedCompositeLaw& p, V b, V tau, V& square, V& line) {
  const V zero(0), shear = tau * V(1 / p.sc);
  if (p.tsai_wu) {
    square = b * b * V(1 / (p.yc * p.yt)) + shear * shear;
    line = V((p.yc - p.yt) / (p.yc * p.yt)) * b;
    return;
  }
  const auto tension = b > zero;
  const double ratio = 0.5 * p.yc / p.sc;
  const V pulled = b * V(1 / p.yt), pressed = b * V(0.5 / p.sc);
  square = simd::select(tension, pulled * pulled, pressed * pressed) + shear * shear;
  line = simd::select(tension, zero, V((ratio * ratio - 1) / p.yc) * b);
}

/// Whether strains are beyond a limit that is given.
template <class V>
simd::mask_t<V> beyond_strain(const EnhancedCompositeLaw& p, const V (&e)[3]) {
  const auto size = [](V of) { return simd::max(of, V(0) - of); };
  auto gone = never(e[0]);
  if (p.strain_t > 0) gone = gone || e[0] > V(p.strain_t);
  if (p.strain_c < 0) gone = gone || e[0] < V(p.strain_c);
  if (p.strain_m > 0) gone = gone || size(e[1]) > V(p.strain_m);
  if (p.strain_s > 0) gone = gone || size(e[2]) > V(2 * p.strain_s);
  if (p.strain_e > 0) {
    const V square = e[0] * e[0] + e[0] * e[1] + e[1] * e[1] + V(0.25) * e[2] * e[2];
    gone = gone || V(4.0 / 3) * square > V(p.strain_e * p.strain_e);
  }
  return gone;
}

/// Puts stresses back to their limits. Returns whether fibres in tension were beyond theirs.
template <class V>
simd::mask_t<V> limit_stress(const EnhancedCompositeLaw& p, V (&s)[6], V& crushed) {
  const V zero(0), one(1);
  V square, line;
  matrix_criterion(p, s[1], s[3], square, line);
  const V factor = back_to_limit(square, line);
  crushed = simd::select(factor < one && s[1] < zero, one, crushed);
  s[0] -= V(p.q.ab / p.q.bb) * (one - factor) * s[1];
  s[1] *= factor;
  s[3] *= factor;

  const auto weak = crushed > zero;
  const V shear = s[3] * V(1 / p.sc);
  const V left = simd::sqrt(simd::max(one - V(p.beta) * shear * shear, zero));
  const V upper = simd::select(weak, V(p.weak_xt), V(p.xt)) * left;
  const V lower = zero - simd::select(weak, V(p.weak_xc), V(p.xc));
  const auto broken = s[0] > upper;
  const V limited = simd::max(simd::min(s[0], upper), lower);
  s[1] -= V(p.q.ab / p.q.aa) * (s[0] - limited);
  s[0] = limited;
  return broken;
}

template <class V>
void update_shell(const EnhancedCompositeLaw& p, ShellPoint<V>& point) {
  using Law = EnhancedCompositeLaw;
  const V zero(0);
  V crushed = point.history.template load<V>(Law::kCrushed), e[3];
  simd::mask_t<V> gone = never(zero);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    const V a = s[0], b = s[1];
    const V part[3] = {d[0], d[1], d[3]};
    for (int k = 0; k < 3; ++k) {
      e[k] = point.history.template load<V>(Law::kStrain + k) + part[k];
      point.history.store(Law::kStrain + k, e[k]);
    }
    add_lamina_stress(p.q, p.alpha, d, s);
    const auto broken = limit_stress(p, s, crushed);
    gone = beyond_strain(p, e);
    if (p.strain_t == 0) gone = gone || broken;
    d[2] = V(p.q.thin_a) * (s[0] - a) + V(p.q.thin_b) * (s[1] - b);
  });
  for (V& of : point.s) of = simd::select(gone, zero, of);
  point.d[2] = simd::select(gone, zero, point.d[2]);
  point.history.store(Law::kCrushed, crushed);
  point.failed = gone;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace enhanced_composite {

inline void read_strengths(const model::Material& material, EnhancedCompositeLaw& law) {
  law.xt = positive_field(material, "XT");
  law.xc = positive_field(material, "XC");
  law.yt = positive_field(material, "YT");
  law.yc = positive_field(material, "YC");
  law.sc = positive_field(material, "SC");
  const double fbrt = not_negative_field(material, "FBRT");
  law.weak_xt = fbrt > 0 ? fbrt * law.xt : law.xt;
  const double ycfac = material.field("YCFAC", 2.0);
  if (!(ycfac > 0)) refuse(material, "CR-M103", "YCFAC", "YCFAC must be positive");
  law.weak_xc = std::min(law.xc, ycfac * law.yc);
}

inline void read_limits(const model::Material& material, EnhancedCompositeLaw& law) {
  law.strain_t = not_negative_field(material, "DFAILT");
  law.strain_m = not_negative_field(material, "DFAILM");
  law.strain_s = not_negative_field(material, "DFAILS");
  law.strain_e = not_negative_field(material, "EFS");
  law.strain_c = material.field("DFAILC");
  if (law.strain_c > 0) refuse(material, "CR-M108", "DFAILC", "DFAILC must be negative, or 0 for no limit");
  const bool any =
      law.strain_t > 0 || law.strain_m > 0 || law.strain_s > 0 || law.strain_e > 0 || law.strain_c < 0;
  if (law.tsai_wu && any) refuse(material, "CR-M105", "CRIT", "limits of strain are for CRIT = 54 only");
}

}  // namespace enhanced_composite

inline Prepared prepare_enhanced_composite(const model::Model&, const model::Material& material) {
  EnhancedCompositeLaw law;
  law.q = plane_stiffness(material);
  law.alpha = not_negative_field(material, "ALPH");
  law.beta = not_negative_field(material, "BETA");
  if (law.beta > 1) refuse(material, "CR-M108", "BETA", "BETA must lie between 0 and 1");
  const double criterion = material.field("CRIT", 54);
  if (criterion != 0 && criterion != 54 && criterion != 55)
    refuse(material, "CR-M105", "CRIT", fmt::format("CRIT = {} is not supported; 54 and 55 are", criterion));
  law.tsai_wu = criterion == 55;
  enhanced_composite::read_strengths(material, law);
  enhanced_composite::read_limits(material, law);
  Prepared prepared = prepare_plane(material, law.q);
  const double smallest = material.field("TFAIL");
  if (smallest > 0.1)
    refuse(material, "CR-M105", "TFAIL", "TFAIL > 0.1, a fraction of the first step, is not supported");
  prepared.min_time_step = std::max(smallest, 0.0);
  prepared.n_history = EnhancedCompositeLaw::kHistory;
  prepared.parameters = std::make_shared<EnhancedCompositeLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(EnhancedCompositeLaw, {.number = 54,
                                   .keyword = "MAT_ENHANCED_COMPOSITE_DAMAGE",
                                   .supports = {.shell = true},
                                   .needs = {.material_axes = true},
                                   .young_field = "EA",
                                   .prepare = prepare_enhanced_composite})
