// MAT_262 (*MAT_LAMINATED_FRACTURE_DAIMLER_CAMANHO): a lamina of unidirectional fibres with the criteria of
// Maimi, Camanho, Mayugo and Davila and linear softening to fracture toughnesses, in shells.
//
// Maimi et al. (2007, Mech. Mater. 39, p. 897, part I): compliance in damaged_plane.hpp; criteria in
// effective stresses s, <x> = x where positive. The paper's are those of the whole lamina under the strain of
// the damaged one. Broken fibres then have a pressure across them that is not there, of the contraction that
// they lost, and kinking would take a quarter more than its toughness at PRBA EA / EB = 0.28. Here s are
// stresses over 1 - w, with the damage of the step before. In 1- and 2- the stresses that cracks take from
// the matrix are left out, so s_ab is times 1 - d of shear, and in 1- s_b is a stress. With the shear of a
// matrix without cracks, fibres of a sheared lamina would kink under any pressure along them, however small:
//
//   1+  EA e_a / XT                                         fibres in tension
//   1-  <|s_ab^m| + eta_L s_b^m> / SL            s_a < 0    fibres kink (LaRC04), in axes turned by phi_C to
//       where shear is more; tan phi_C = (1 - sqrt(1 - 4 (SL/XC + eta_L) SL/XC)) / (2 (SL/XC + eta_L))
//   2+  sqrt((1 - g) s_b/YT + g (s_b/YT)^2 + (s_ab/SL)^2)   s_b >= 0, g = GYT / GSL
//       <|s_ab| + eta_L s_b> / SL                           s_b < 0
//   2-  sqrt((tau_T/ST)^2 + (tau_L/SL)^2)        s_b < 0, on a plane at FIO = alpha_0 to the thickness:
//       tau_T = <-s_b cos alpha_0 (sin alpha_0 - eta_T cos alpha_0 cos theta)>,
//       tau_L = <cos alpha_0 (|s_ab| + eta_L s_b cos alpha_0 sin theta)>,
//       tan theta = -|s_ab| / (s_b sin alpha_0)
//
//   eta_L = -SL cos 2 alpha_0 / (YC cos^2 alpha_0), eta_T = -1 / tan 2 alpha_0,
//   ST = YC cos alpha_0 (sin alpha_0 + cos alpha_0 / tan 2 alpha_0)
//
// r of a mode is the largest value so far of its criterion, 1 at least. The paper's damage is exponential;
// the card has LS-DYNA's, linear: a stress that falls along a straight line in its strain, to 0 where
// (Bazant and Oh 1983, Mater. Struct. 16, p. 155) X strain / 2 times the element's size l is the toughness G,
//
//   d(r) = (1 - 1/r) / (1 - 1/r_f), at most 1,   1/r_f = l X^2 / (2 E G),
//
// with (X, E, G) = (XT, EA, GXT), (XC, EA, GXC), (YT, EB, GYT), (YC, EB, GYC) and, by r of 2+, (SL, GAB, GSL)
// for shear; in 2+ by f(r) = (g - 1 + sqrt((1 - g)^2 + 4 g r^2)) / 2 g, which is s_b / YT under tension
// alone. l is the root of the area at the start. Elements for which r_f <= 1 in a mode break with more energy
// than the toughness: they are refused. Modes are coupled, as the paper has it, but so that each alone has
// its energy: tension has at least the damage of compression, and shear that of broken fibres besides,
// 1 - w_ab = (1 - d) (1 - d_1+).
//
// With SIGY the shear yields before it breaks, in one dimension with the tangent modulus ETAN and BETA of it
// isotropic, the rest kinematic (Simo and Hughes 1998, box 1.5); where shear has damage it does not yield any
// more. A point ends when the damage that acts is 1: of fibres in tension (not with DAF = 1) or compression
// (DKF), of the matrix (DMF), of shear (DSF), where s_b / YT against |s_ab| / SL says which one it is; or
// when the effective strain exceeds EFS, as in MAT_058.
//
// History: the axes; the element's size; strains and thickness (damaged_plane.hpp); plastic shear strain, its
// sum, back stress; r of 1+, 1-, 2+, 2-; whether the point has ended.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/damaged_plane.hpp"
#include "materials/orthotropic/linear_softening.hpp"

namespace crumple::materials {

struct LaminatedFractureLaw {
  DamagedPlane plane;
  double xt = 0, yt = 0, sl = 0;
  double eta_l = 0, eta_t = 0, st = 0, ratio_g = 0;
  double cos_kink = 1, sin_kink = 0, cos_plane = 1, sin_plane = 0;  ///< phi_C, alpha_0
  double brittle[5] = {};                          ///< 1 / (r_f l) of 1+, 1-, 2+, 2- and shear
  double yield = 0, isotropic = 0, kinematic = 0;  ///< SIGY (0: elastic), hardening moduli
  bool fails[4] = {};                              ///< by fibres in tension, in compression, matrix, shear
  double end_strain = 0;                           ///< EFS, 0: none

  static constexpr int kSize = kShellSize;
  static constexpr int kStrain = kSize + 1;
  static constexpr int kPlastic = kStrain + DamagedPlane::kHistory;  ///< plastic strain, sum, back stress
  static constexpr int kLoads = kPlastic + 3;
  static constexpr int kEnded = kLoads + 4;
  static constexpr int kHistory = kEnded + 1;
};

inline namespace CRUMPLE_ISA {

/// The plastic part of the shear strain at the end of a step; `yields`: where there is no damage.
template <class V>
V plastic_shear(const LaminatedFractureLaw& p, const ShellPoint<V>& point, V strain,
                const simd::mask_t<V>& yields) {
  using Law = LaminatedFractureLaw;
  if (p.yield == 0) return V(0);
  const V zero(0), shear(p.plane.shear);
  const V plastic = point.history.template load<V>(Law::kPlastic);
  const V sum = point.history.template load<V>(Law::kPlastic + 1);
  const V back = point.history.template load<V>(Law::kPlastic + 2);
  const V over = shear * (strain - plastic) - back;
  const V beyond = simd::max(over, zero - over) - (V(p.yield) + V(p.isotropic) * sum);
  const V more = simd::select(yields && beyond > zero,
                              beyond * V(1 / (p.plane.shear + p.isotropic + p.kinematic)), zero);
  const V change = simd::select(over < zero, zero - more, more);
  point.history.store(Law::kPlastic, plastic + change);
  point.history.store(Law::kPlastic + 1, sum + more);
  point.history.store(Law::kPlastic + 2, back + V(p.kinematic) * change);
  return plastic + change;
}

/// Criterion 1-; t = |s_ab|.
template <class V>
V kinking(const LaminatedFractureLaw& p, V a, V b, V t) {
  const V c(p.cos_kink), s(p.sin_kink), cs = c * s;
  const V across = s * s * a + c * c * b - (cs + cs) * t;
  const V along = cs * (b - a) + (c * c - s * s) * t;
  const V load = (simd::max(along, V(0) - along) + V(p.eta_l) * across) * V(1 / p.sl);
  return simd::select(a < V(0), simd::max(load, V(0)), V(0));
}

/// Criterion 2+.
template <class V>
V torn_matrix(const LaminatedFractureLaw& p, V b, V t) {
  const V zero(0), one(1), pulled = b * V(1 / p.yt), shear = t * V(1 / p.sl), g(p.ratio_g);
  const V open = (one - g) * pulled + g * pulled * pulled + shear * shear;
  const V closed = simd::max((t + V(p.eta_l) * b) * V(1 / p.sl), zero);
  return simd::select(b < zero, closed, simd::sqrt(simd::max(open, V(1e-20))));
}

/// Criterion 2-.
template <class V>
V crushed_matrix(const LaminatedFractureLaw& p, V b, V t) {
  const V zero(0), cosine(p.cos_plane), sine(p.sin_plane);
  const V pressed = simd::max(zero - b, zero), rise = pressed * sine;
  const V length = simd::sqrt(simd::max(t * t + rise * rise, V(1e-20)));
  const V cos_theta = rise / length, sin_theta = t / length;
  const V across = simd::max(pressed * cosine * (sine - V(p.eta_t) * cosine * cos_theta), zero);
  const V along = simd::max(cosine * (t - V(p.eta_l) * pressed * cosine * sin_theta), zero);
  const V u = across * V(1 / p.st), v = along * V(1 / p.sl);
  return simd::select(b < zero, simd::sqrt(simd::max(u * u + v * v, V(1e-20))), zero);
}

/// s_b / YT under tension alone, from r of 2+.
template <class V>
V opened(const LaminatedFractureLaw& p, V r) {
  const V g(p.ratio_g), rest(1 - p.ratio_g);
  return (simd::sqrt(rest * rest + V(4) * g * r * r) - rest) * V(0.5 / p.ratio_g);
}

/// Damage of the axes, and of shear without that of broken fibres.
template <class V>
struct FractureDamage {
  AxisDamage<V> axes;
  V sheared;
};

/// Damage of r of 1+, 1-, 2+, 2- in an element of a size.
template <class V>
FractureDamage<V> damage_of(const LaminatedFractureLaw& p, const V (&r)[4], V size) {
  V brittle[5];
  for (int k = 0; k < 5; ++k) brittle[k] = V(p.brittle[k]) * size;
  const V kinked = softened(r[1], brittle[1]), crushed = softened(r[3], brittle[3]);
  return {{simd::max(softened(r[0], brittle[0]), kinked), kinked,
           simd::max(softened(opened(p, r[2]), brittle[2]), crushed), crushed},
          softened(r[2], brittle[4])};
}

/// Lets the damage grow with the largest criteria so far, 1 at least, which are kept. `e` are elastic
/// strains. The crack of 2+ comes first, as 1- and 2- have the stresses that it leaves.
template <class V>
FractureDamage<V> load_modes(const LaminatedFractureLaw& p, const ShellPoint<V>& point, const V (&e)[5],
                             V size) {
  using Law = LaminatedFractureLaw;
  const V zero(0), one(1);
  V r[4];
  for (int k = 0; k < 4; ++k) r[k] = simd::max(point.history.template load<V>(Law::kLoads + k), one);
  const auto old = effective_plane(p.plane, damage_of(p, r, size).axes, e[0], e[1]);
  const V t = V(p.plane.shear) * simd::max(e[2], zero - e[2]);
  r[0] = simd::max(r[0], V(p.plane.young_a / p.xt) * e[0]);
  r[2] = simd::max(r[2], torn_matrix(p, old.b, t));
  const V carried = (one - softened(r[2], V(p.brittle[4]) * size)) * t;
  r[3] = simd::max(r[3], crushed_matrix(p, old.b, carried));
  const AxisDamage<V> w = damage_of(p, r, size).axes;
  const V across = (one - simd::select(old.b > zero, w.b_pulled, w.b_pressed)) * old.b;
  r[1] = simd::max(r[1], kinking(p, old.a, across, carried));
  for (int k = 0; k < 4; ++k) point.history.store(Law::kLoads + k, r[k]);
  return damage_of(p, r, size);
}

/// Whether the damage of the mode that acts is 1. Of tension across the fibres and shear it is the one with
/// the larger stress over its strength; t = |s_ab| without damage.
template <class V>
simd::mask_t<V> broken_through(const LaminatedFractureLaw& p, const EffectivePlane<V>& now, V t, V sheared) {
  const V zero(0), one(1);
  const auto opens = now.b * V(p.sl / p.yt) > t;
  auto gone = never(t);
  if (p.fails[0]) gone = gone || (now.a > zero && now.left_a <= zero);
  if (p.fails[1]) gone = gone || (now.a < zero && now.left_a <= zero);
  if (p.fails[2]) gone = gone || ((opens || now.b < zero) && now.left_b <= zero);
  if (p.fails[3]) gone = gone || (now.b * V(p.sl / p.yt) <= t && sheared >= one);
  return gone;
}

template <class V>
void update_shell(const LaminatedFractureLaw& p, ShellPoint<V>& point) {
  using Law = LaminatedFractureLaw;
  const V zero(0), one(1);
  V ended = point.history.template load<V>(Law::kEnded);
  const V size = point.history.template load<V>(Law::kSize);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    V e[DamagedPlane::kStrains];
    add_strain(p.plane, point, Law::kStrain, d, s, e);
    if (p.end_strain > 0)
      ended = simd::select(effective_strain_squared(e) > V(p.end_strain * p.end_strain), one, ended);
    const auto whole = point.history.template load<V>(Law::kLoads + 2) <= one;
    e[2] -= plastic_shear(p, point, e[2], whole);
    const FractureDamage<V> w = load_modes(p, point, e, size);
    const auto now = effective_plane(p.plane, w.axes, e[0], e[1]);
    s[0] = now.left_a * now.a;
    s[1] = now.left_b * now.b;
    s[3] = (one - w.sheared) * (one - w.axes.a_pulled) * V(p.plane.shear) * e[2];
    s[4] = V(p.plane.shear_bc) * e[3];
    s[5] = V(p.plane.shear_ca) * e[4];
    const V t = V(p.plane.shear) * simd::max(e[2], zero - e[2]);
    ended = simd::select(broken_through(p, now, t, w.sheared), one, ended);
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
#include <algorithm>
#include <cmath>

#include "materials/orthotropic/fracture_ends.hpp"
#include "materials/orthotropic/fracture_size.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace laminated_fracture {

/// The planes of matrix in compression and of kinking.
inline void read_planes(const model::Material& material, LaminatedFractureLaw& law) {
  double angle = material.field("FIO", 53.0);
  if (angle == 0) angle = 53.0;
  if (!(angle > 45 && angle < 90))
    refuse(material, "CR-M108", "FIO", "FIO must lie between 45 and 90 degrees");
  const double alpha = angle * M_PI / 180, cosine = std::cos(alpha), sine = std::sin(alpha);
  const double yc = material.field("YC"), xc = material.field("XC"), twice = std::tan(2 * alpha);
  law.cos_plane = cosine, law.sin_plane = sine;
  law.eta_t = -1 / twice;
  law.st = yc * cosine * (sine + cosine / twice);
  law.eta_l = -law.sl * std::cos(2 * alpha) / (yc * cosine * cosine);
  const double ratio = law.sl / xc, sum = ratio + law.eta_l, root = 1 - 4 * sum * ratio;
  if (!(root >= 0))
    refuse(material, "CR-M108", "XC",
           fmt::format("no angle of kinking gives the strength XC: 4 (SL/XC + eta) SL/XC is {:.4g}, and must "
                       "not exceed 1; XC is too small beside SL",
                       1 - root));
  const double kink = std::atan((1 - std::sqrt(root)) / (2 * sum));
  law.cos_kink = std::cos(kink), law.sin_kink = std::sin(kink);
}

inline void read_plasticity(const model::Material& material, LaminatedFractureLaw& law) {
  law.yield = not_negative_field(material, "SIGY");
  const double tangent = material.field("ETAN"), beta = material.field("BETA");
  if (law.yield == 0) return;
  if (tangent < 0) refuse(material, "CR-M105", "ETAN", "curves of the tangent modulus are not supported");
  if (!(tangent < law.plane.shear)) refuse(material, "CR-M108", "ETAN", "ETAN must be smaller than GAB");
  if (!(beta >= 0 && beta <= 1)) refuse(material, "CR-M108", "BETA", "BETA must lie between 0 and 1");
  const double hardening = tangent * law.plane.shear / (law.plane.shear - tangent);
  law.isotropic = beta * hardening;
  law.kinematic = (1 - beta) * hardening;
}

inline void read_failure(const model::Material& material, LaminatedFractureLaw& law) {
  constexpr const char* kFlags[] = {"DAF", "DKF", "DMF", "DSF"};
  read_fracture_ends(material, kFlags, law.fails, law.end_strain);
}

}  // namespace laminated_fracture

inline Prepared prepare_laminated_fracture(const model::Model&, const model::Material& material) {
  LaminatedFractureLaw law;
  const PlaneStiffness q = plane_stiffness(material);
  law.plane = damaged_plane(q);
  std::ranges::copy(brittleness(material), std::begin(law.brittle));
  law.xt = material.field("XT"), law.yt = material.field("YT"), law.sl = material.field("SL");
  law.ratio_g = material.field("GYT") / material.field("GSL");
  laminated_fracture::read_planes(material, law);
  laminated_fracture::read_plasticity(material, law);
  laminated_fracture::read_failure(material, law);
  Prepared prepared = prepare_plane(material, q);
  prepared.n_history = LaminatedFractureLaw::kHistory;
  prepared.parameters = std::make_shared<LaminatedFractureLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LaminatedFractureLaw, {.number = 262,
                                   .keyword = "MAT_LAMINATED_FRACTURE_DAIMLER_CAMANHO",
                                   .supports = {.shell = true},
                                   .needs = {.material_axes = true, .element_size = true},
                                   .young_field = "EA",
                                   .cost = 2,
                                   .prepare = prepare_laminated_fracture})
