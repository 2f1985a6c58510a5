// MAT_261 (*MAT_LAMINATED_FRACTURE_DAIMLER_PINHO): a lamina of unidirectional fibres with the criteria of
// Pinho, Iannucci and Robinson on planes of fracture and in kink bands, and linear softening to fracture
// toughnesses, in shells.
//
// Criteria (Pinho et al. 2006, Composites A 37, p. 63, part I; LS-DYNA manual, MAT_261), in plane stress
// without transverse shears. On a plane at phi to the thickness, about the fibres, lie
//
//   s_n = s_b cos^2 phi,   t_T = -s_b sin phi cos phi,   t_L = s_ab cos phi.
//
//   matrix     (s_n/YT)^2 + (t_T/ST)^2 + (t_L/SL)^2 = 1                        s_n >= 0
//              (t_T/(ST - mu_T s_n))^2 + (t_L/(SL - mu_L s_n))^2 = 1           s_n < 0
//   fibres     s_a / XT = 1                                                    s_a >= 0
//   kinking    the matrix' criterion on the plane across the layer (phi = 0), in axes turned by theta
//
//   ST = YC / (2 tan FIO),   mu_T = -1 / tan(2 FIO),   mu_L = SL mu_T / ST
//
// As mu_L / SL = mu_T / ST, the second line is r = 1 with r = sqrt((t_T/ST)^2 + (t_L/SL)^2) + mu_T s_n / ST.
// So every criterion is used as r, by which all stresses are to be divided to lie on its surface. The plane
// is the one with the largest r of 25 between 0 and FIO: at r = 1 none beyond is larger, and between two of
// them r is less than 0.1 % larger.
//
// Fibres in a band are turned by tan theta = (GAB tan theta_i + |s_ab|) / (GAB + s_a - s_b) under the stress
// on the surface (part I, for a shear that is linear; angles by their tangents), found by iteration. theta_i
// is that by which XC alone is on the surface: tan theta_i = (1 - XC/GAB) tan theta_C, tan theta_C = (1 -
// sqrt(1 - 4 (SL/XC + mu_L) SL/XC)) / (2 (SL/XC + mu_L)). Bands form in the plane of the layer or through its
// thickness (the principal directions of a stress without s_c and s_bc): there XC alone counts.
//
// Softening (part II, p. 766, linear; Bazant and Oh 1983, Mater. Struct. 16, p. 155). With the largest r so
// far, d = (1 - 1/r) / (1 - 1/r_f). A mode dissipates its toughness over the area A of a crack through the
// element, 1/r_f = U V / (A G), with the energy U of what it takes away at its onset and V/A = l cos phi, l
// the root of the area at the start. Of matrix G = (ENB <s_n>^2 + ENT t_T^2 + ENL t_L^2) / (<s_n>^2 + t_T^2 +
// t_L^2) at its onset; its plane then stays. r_f is at least 1.1 for fibres and 2 for matrix, as LS-DYNA has
// it (LSTC support, frequently asked questions on MAT_261): elements that are too large, or without a
// toughness, dissipate that much.
//
// What sources do not say, and how it is here:
//   * A crack that presses carries the pressure unless it slides: where tan phi > mu_T, which is the angle of
//     friction. So the matrix has two modes, planes that are less steep (o) and steeper (c). Damage of both
//     acts on shear and on tension, of c alone on pressure. Where both begin in a step, it is that with the
//     larger r.
//   * Stresses of a mode's criterion are what the other modes leave; its own damage is taken out. So a mode
//     does not begin by stresses that are not there. Of the two modes of matrix, the second is judged by what
//     the first leaves in the same step.
//   * Shear and tension of fibres have the damage of fibres in tension and of kinking, whichever is more.
//   * Else r is of stresses by the damage of the step before.
//   * theta is that of a linear shear also where LCSS is not.
// Plasticity of the shear: shear_curve.hpp, as long as the matrix is whole.
//
// A point ends when the damage of fibres in tension (not with DAF = 1), kinking (DKF), or matrix (DMF) is 1;
// or when the effective strain exceeds EFS, as in MAT_058.
//
// History: the axes; the element's size; strains and thickness (damaged_plane.hpp); plastic shear strain, its
// sum, back stress; r of fibres in tension, kinking, matrix o, c; 1 / r_f of the last three; cos phi of o, c;
// whether the point has ended.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/damaged_plane.hpp"
#include "materials/orthotropic/linear_softening.hpp"
#include "materials/orthotropic/shear_curve.hpp"

namespace crumple::materials {

struct PinhoLaw {
  static constexpr int kPlanes = 25;

  DamagedPlane plane;
  ShearCurve shear;
  double xt = 0, xc = 0, yt = 0, sl = 0, st = 0;
  double friction = 0, eta = 0;                          ///< mu_T / ST; mu_L
  double misaligned = 0;                                 ///< tan theta_i
  double cos_of[kPlanes] = {}, sin_of[kPlanes] = {};     ///< of phi, from 0 to FIO
  int n_flat = 0;                                        ///< planes of the mode o
  double brittle_pulled = 0;                             ///< 1 / (r_f l) of fibres in tension
  double kinked = 0, opened = 0, slid = 0, sheared = 0;  ///< ENKINK, ENB, ENT, ENL
  bool fails[3] = {};                                    ///< by fibres in tension, kinking, matrix
  double end_strain = 0;                                 ///< EFS, 0: none

  static constexpr double kMostOfFibres = 1 / 1.1, kMostOfMatrix = 0.5;  ///< 1 / r_f
  static constexpr int kSize = kShellSize;
  static constexpr int kStrain = kSize + 1;
  static constexpr int kPlastic = kStrain + DamagedPlane::kHistory;
  static constexpr int kLoads = kPlastic + 3;
  static constexpr int kBrittle = kLoads + 4;
  static constexpr int kPlaneOf = kBrittle + 3;
  static constexpr int kEnded = kPlaneOf + 2;
  static constexpr int kHistory = kEnded + 1;
};

inline namespace CRUMPLE_ISA {

/// r of the matrix on a plane; t = |s_ab|.
template <class V>
V load_on_plane(const PinhoLaw& p, V b, V t, V cosine, V sine) {
  const V normal = b * cosine * cosine, across = b * sine * cosine * V(1 / p.st);
  const V along = t * cosine * V(1 / p.sl), open = normal * V(1 / p.yt);
  const V shears = across * across + along * along, tiny(1e-20);
  const V closed = simd::sqrt(simd::max(shears, tiny)) + V(p.friction) * normal;
  return simd::select(b < V(0), simd::max(closed, V(0)), simd::sqrt(simd::max(open * open + shears, tiny)));
}

/// r in a band with fibres turned by an angle of the tangent x, plane across the layer.
template <class V>
V load_in_band(const PinhoLaw& p, V a, V b, V t, V x) {
  const V cc = V(1) / (V(1) + x * x), cs = x * cc, ss = x * cs, zero(0);
  const V across = ss * a + cc * b - (cs + cs) * t, along = cs * (b - a) + (cc - ss) * t;
  const V u = simd::max(along, zero - along) * V(1 / p.sl), open = across * V(1 / p.yt);
  const V closed = simd::max(u + V(p.eta / p.sl) * across, zero);
  return simd::select(across < zero, closed, simd::sqrt(simd::max(open * open + u * u, V(1e-20))));
}

/// r of kinking; 0 in tension. Each step is Newton's for pressure along the fibres alone.
template <class V>
V kinking_load(const PinhoLaw& p, V a, V b, V t) {
  constexpr int kSteps = 8;
  const V zero(0), shear(p.plane.shear), least(0.05 * p.plane.shear), step(1 - p.xc / p.plane.shear);
  const V alone = simd::max(zero - a, zero) * V(1 / p.xc), small(1e-3);
  V load = simd::max(simd::max(alone, t * V(1 / p.sl)), small);
  for (int k = 0; k < kSteps; ++k) {
    const V inverse = V(1) / load;
    const V x = (shear * V(p.misaligned) + t * inverse) / simd::max(shear + (a - b) * inverse, least);
    load = simd::max(load + step * (load_in_band(p, a, b, t, x) - load), small);
  }
  return simd::select(a < zero, simd::max(load, alone), zero);
}

/// The plane of a mode with the largest r: of planes from `first` to before `end`.
template <class V>
struct WorstPlane {
  V load, cosine;
};
template <class V>
WorstPlane<V> worst_plane(const PinhoLaw& p, V b, V t, int first, int end) {
  WorstPlane<V> worst{V(0), V(1)};
  for (int k = first; k < end; ++k) {
    const V load = load_on_plane(p, b, t, V(p.cos_of[k]), V(p.sin_of[k]));
    worst.cosine = simd::select(load > worst.load, V(p.cos_of[k]), worst.cosine);
    worst.load = simd::max(worst.load, load);
  }
  return worst;
}

/// 1 / r_f of matrix that begins to break on a plane: energy taken away at r = 1 over toughness.
template <class V>
V matrix_brittleness(const PinhoLaw& p, V b, V t, const WorstPlane<V>& at, V taken, V size) {
  const V sine = simd::sqrt(simd::max(V(1) - at.cosine * at.cosine, V(0)));
  const V normal = simd::max(b, V(0)) * at.cosine * at.cosine, across = b * sine * at.cosine;
  const V along = t * at.cosine, nn = normal * normal, tt = across * across, ll = along * along, tiny(1e-30);
  const V toughness = (V(p.opened) * nn + V(p.slid) * tt + V(p.sheared) * ll) / simd::max(nn + tt + ll, tiny);
  const V at_onset = taken / simd::max(at.load * at.load, tiny);
  return simd::min(size * at.cosine * at_onset / simd::max(toughness, V(1e-20)), V(PinhoLaw::kMostOfMatrix));
}

/// Damage of fibres in tension, of kinking, of matrix on planes that carry pressure and that do not.
template <class V>
struct PinhoDamage {
  V pulled, kinked, opened, crushed;

  V left_shear() const { return (V(1) - simd::max(pulled, kinked)) * (V(1) - opened) * (V(1) - crushed); }
  AxisDamage<V> axes() const {
    return {simd::max(pulled, kinked), kinked, V(1) - (V(1) - opened) * (V(1) - crushed), crushed};
  }
};

/// r, 1 / r_f and plane of each mode so far.
template <class V>
struct PinhoModes {
  using Law = PinhoLaw;
  V load[4], brittle[4], cosine[2];

  PinhoModes(const PinhoLaw& p, const History<simd::scalar_t<V>>& history, V size) {
    for (int k = 0; k < 4; ++k) load[k] = simd::max(history.template load<V>(Law::kLoads + k), V(1));
    brittle[0] = simd::min(V(p.brittle_pulled) * size, V(Law::kMostOfFibres));
    for (int k = 0; k < 3; ++k) brittle[k + 1] = history.template load<V>(Law::kBrittle + k);
    for (int k = 0; k < 2; ++k) cosine[k] = history.template load<V>(Law::kPlaneOf + k);
  }
  void store(const History<simd::scalar_t<V>>& history) const {
    for (int k = 0; k < 4; ++k) history.store(Law::kLoads + k, load[k]);
    for (int k = 0; k < 3; ++k) history.store(Law::kBrittle + k, brittle[k + 1]);
    for (int k = 0; k < 2; ++k) history.store(Law::kPlaneOf + k, cosine[k]);
  }
  PinhoDamage<V> damage() const {
    return {softened(load[0], brittle[0]), softened(load[1], brittle[1]), softened(load[2], brittle[2]),
            softened(load[3], brittle[3])};
  }
};

/// Stresses of the modes o and c: what the other one leaves.
template <class V>
struct MatrixStress {
  V b[2], t[2];

  MatrixStress(const PinhoModes<V>& m, V of_b, V of_t) {
    const V opened = V(1) - softened(m.load[2], m.brittle[2]),
            crushed = V(1) - softened(m.load[3], m.brittle[3]);
    b[0] = crushed * of_b, b[1] = simd::select(of_b < V(0), of_b, opened * of_b);
    t[0] = crushed * of_t, t[1] = opened * of_t;
  }
};

template <class V>
WorstPlane<V> worst_of_mode(const PinhoLaw& p, int mode, const MatrixStress<V>& s) {
  return mode == 0 ? worst_plane(p, s.b[0], s.t[0], 0, p.n_flat)
                   : worst_plane(p, s.b[1], s.t[1], p.n_flat, PinhoLaw::kPlanes);
}

/// A mode of the matrix on its worst plane, in lanes where it begins.
template <class V>
void begin_mode(const PinhoLaw& p, PinhoModes<V>& m, int mode, const MatrixStress<V>& s,
                const WorstPlane<V>& worst, const simd::mask_t<V>& begins, V size) {
  const V b = s.b[mode], t = s.t[mode];
  const V gone = simd::select(b < V(0), V(mode == 0 ? 0 : 1), V(1)) * b;
  const V taken = V(0.5 / p.plane.young_b) * gone * gone + V(0.5 / p.plane.shear) * t * t;
  const V brittle = matrix_brittleness(p, b, t, worst, taken, size);
  m.brittle[2 + mode] = simd::select(begins, brittle, m.brittle[2 + mode]);
  m.cosine[mode] = simd::select(begins, worst.cosine, m.cosine[mode]);
  m.load[2 + mode] = simd::select(begins, worst.load, m.load[2 + mode]);
}

/// b, t are stresses that the matrix has not damaged. Modes that have begun grow, or the one with the larger
/// r begins; then the other may, by the stresses that are left.
template <class V>
void load_matrix(const PinhoLaw& p, PinhoModes<V>& m, V b, V t, V size) {
  const V one(1);
  const MatrixStress<V> before(m, b, t);
  const simd::mask_t<V> undamaged[2] = {m.load[2] <= one, m.load[3] <= one};
  const WorstPlane<V> worst[2] = {worst_of_mode(p, 0, before), worst_of_mode(p, 1, before)};
  for (int k = 0; k < 2; ++k) {
    const auto larger = k == 0 ? worst[0].load >= worst[1].load : worst[1].load > worst[0].load;
    const auto begins = undamaged[0] && undamaged[1] && larger && worst[k].load > one;
    const V cosine = m.cosine[k], sine = simd::sqrt(simd::max(one - cosine * cosine, V(0)));
    const V now = simd::select(undamaged[k], one, load_on_plane(p, before.b[k], before.t[k], cosine, sine));
    m.load[2 + k] = simd::max(m.load[2 + k], now);
    begin_mode(p, m, k, before, worst[k], begins, size);
  }
  const MatrixStress<V> after(m, b, t);
  const simd::mask_t<V> whole[2] = {m.load[2] <= one, m.load[3] <= one};
  for (int k = 0; k < 2; ++k) {
    const WorstPlane<V> left = worst_of_mode(p, k, after);
    begin_mode(p, m, k, after, left, whole[k] && !whole[1 - k] && left.load > one, size);
  }
}

/// Lets the damage grow; `e` are elastic strains.
template <class V>
PinhoDamage<V> load_pinho_modes(const PinhoLaw& p, const ShellPoint<V>& point, const V (&e)[5], V size) {
  const V zero(0), one(1);
  PinhoModes<V> m(p, point.history, size);
  const PinhoDamage<V> old = m.damage();
  const EffectivePlane<V> s = effective_plane(p.plane, old.axes(), e[0], e[1]);
  const V t = V(p.plane.shear) * simd::max(e[2], zero - e[2]);
  const V opened = one - old.opened, crushed = one - old.crushed,
          fibres = one - simd::max(old.pulled, old.kinked);

  m.load[0] = simd::max(m.load[0], s.a * V(1 / p.xt));

  const V t_kink = (one - old.pulled) * opened * crushed * t;
  const V kink = kinking_load(p, s.a, s.left_b * s.b, t_kink);
  const V taken = V(0.5 / p.plane.young_a) * s.a * s.a + V(0.5 / p.plane.shear) * t_kink * t_kink;
  const V at_onset = taken / simd::max(kink * kink, V(1e-30));
  const V brittle =
      simd::min(size * at_onset * V(1 / simd::max(p.kinked, 1e-20)), V(PinhoLaw::kMostOfFibres));
  m.brittle[1] = simd::select(m.load[1] <= one && kink > one, brittle, m.brittle[1]);
  m.load[1] = simd::max(m.load[1], kink);

  load_matrix(p, m, s.b, fibres * t, size);
  m.store(point.history);
  return m.damage();
}

template <class V>
void update_shell(const PinhoLaw& p, ShellPoint<V>& point) {
  using Law = PinhoLaw;
  const V zero(0), one(1);
  V ended = point.history.template load<V>(Law::kEnded);
  const V size = point.history.template load<V>(Law::kSize);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    V e[DamagedPlane::kStrains];
    add_strain(p.plane, point, Law::kStrain, d, s, e);
    if (p.end_strain > 0)
      ended = simd::select(effective_strain_squared(e) > V(p.end_strain * p.end_strain), one, ended);
    const auto whole = point.history.template load<V>(Law::kLoads + 2) <= one &&
                       point.history.template load<V>(Law::kLoads + 3) <= one;
    e[2] -= plastic_part(p.shear, p.plane.shear, point.history, Law::kPlastic, e[2], whole);
    const PinhoDamage<V> w = load_pinho_modes(p, point, e, size);
    const EffectivePlane<V> now = effective_plane(p.plane, w.axes(), e[0], e[1]);
    s[0] = now.left_a * now.a;
    s[1] = now.left_b * now.b;
    s[3] = w.left_shear() * V(p.plane.shear) * e[2];
    s[4] = V(p.plane.shear_bc) * e[3];
    s[5] = V(p.plane.shear_ca) * e[4];
    if (p.fails[0]) ended = simd::select(w.pulled >= one, one, ended);
    if (p.fails[1]) ended = simd::select(w.kinked >= one, one, ended);
    if (p.fails[2]) ended = simd::select(w.opened >= one || w.crushed >= one, one, ended);
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
#include "materials/orthotropic/pinho_fields.hpp"
#endif

CRUMPLE_LAW(PinhoLaw, {.number = 261,
                       .keyword = "MAT_LAMINATED_FRACTURE_DAIMLER_PINHO",
                       .supports = {.shell = true},
                       .needs = {.material_axes = true, .element_size = true},
                       .young_field = "EA",
                       .cost = 4,
                       .prepare = prepare_laminated_fracture_pinho})
