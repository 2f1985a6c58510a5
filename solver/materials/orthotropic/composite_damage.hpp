// MAT_022 (*MAT_COMPOSITE_DAMAGE): a lamina of unidirectional fibres that fails by three modes, in shells.
//
// Chang and Chang (1987, J. Compos. Mater. 21, p. 834), as in Hallquist (2006, LS-DYNA Theory Manual,
// material 22), with the axes a along and b across the fibres, and the energy of shear
//
//   w = (tau^2 / 2 G + 3/4 alpha tau^4) / (SC^2 / 2 G + 3/4 alpha SC^4):
//
//   matrix in tension      (s_b / YT)^2 + w >= 1                                        s_b > 0
//   matrix in compression  (s_b / 2 SC)^2 + ((YC / 2 SC)^2 - 1) s_b / YC + w >= 1       s_b < 0
//   fibre in tension       (s_a / XT)^2 + w >= 1                                        s_a > 0
//
// Shear softens as gamma = tau / G + alpha tau^3 (nonlinear_shear.hpp). After failure of the matrix in
// tension EB, GAB and Poisson's ratios are 0, in compression EB and Poisson's ratios; the stresses that they
// carried drop to 0 at once, and s_a is EA e_a. A broken fibre ends the point: it has no stress any more.
// LS-DYNA's manual does not say how fast stresses drop.
//
// History: the axes; whether the matrix has failed in tension, and in compression.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/engineering_constants.hpp"
#include "materials/orthotropic/nonlinear_shear.hpp"

namespace crumple::materials {

struct CompositeDamageLaw {
  PlaneStiffness q;
  double young_a = 0;  ///< of a lamina whose matrix has failed
  double alpha = 0;
  double xt = 0, yt = 0, yc = 0, sc = 0;  ///< strengths
  double shear_energy = 0;                ///< at the shear strength

  static constexpr int kTension = kShellAxes, kCompression = kShellAxes + 1;
  static constexpr int kHistory = kShellAxes + 2;
};

inline namespace CRUMPLE_ISA {

/// The shear's share of the criteria, w.
template <class V>
V shear_share(const CompositeDamageLaw& p, V tau) {
  const V square = tau * tau;
  return square * (V(0.5 / p.q.shear) + V(0.75 * p.alpha) * square) * V(1 / p.shear_energy);
}

/// Chang's criterion of the matrix in compression, without shear: >= 1 fails.
template <class V>
V compressed_matrix(double yc, double sc, V b) {
  const double ratio = 0.5 * yc / sc;
  return b * b * V(0.25 / (sc * sc)) + V((ratio * ratio - 1) / yc) * b;
}

template <class V>
void update_shell(const CompositeDamageLaw& p, ShellPoint<V>& point) {
  using Law = CompositeDamageLaw;
  const V zero(0), one(1);
  V torn = point.history.template load<V>(Law::kTension);
  V crushed = point.history.template load<V>(Law::kCompression);
  simd::mask_t<V> broken = never(zero);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    const V a = s[0], b = s[1];
    V whole[6];
    for (int k = 0; k < 6; ++k) whole[k] = s[k];
    add_lamina_stress(p.q, p.alpha, d, whole);
    const V without_matrix = a + V(p.young_a) * d[0];
    const auto no_matrix = torn > zero || crushed > zero;
    s[0] = simd::select(no_matrix, without_matrix, whole[0]);
    s[1] = simd::select(no_matrix, zero, whole[1]);
    s[3] = simd::select(torn > zero, zero, whole[3]);
    s[4] = whole[4], s[5] = whole[5];

    const V w = shear_share(p, s[3]);
    const V tension = s[1] * V(1 / p.yt);
    const auto tears = s[1] > zero && tension * tension + w >= one;
    const auto crushes = s[1] < zero && compressed_matrix(p.yc, p.sc, s[1]) + w >= one;
    const V fibre = s[0] * V(1 / p.xt);
    broken = s[0] > zero && fibre * fibre + w >= one;
    torn = simd::select(tears, one, torn);
    crushed = simd::select(crushes, one, crushed);
    // The strain of b goes to the crack: s_a is what it would be with s_b = 0.
    const auto cracks = tears || crushes;
    s[0] = simd::select(cracks, s[0] - V(p.q.ab / p.q.bb) * s[1], s[0]);
    s[1] = simd::select(cracks, zero, s[1]);
    s[3] = simd::select(tears, zero, s[3]);
    for (V& of : s) of = simd::select(broken, zero, of);
    d[2] = V(p.q.thin_a) * (s[0] - a) + V(p.q.thin_b) * (s[1] - b);
  });
  for (V& of : point.s) of = simd::select(broken, zero, of);
  point.d[2] = simd::select(broken, zero, point.d[2]);
  point.history.store(Law::kTension, torn);
  point.history.store(Law::kCompression, crushed);
  point.failed = broken;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_composite_damage(const model::Model&, const model::Material& material) {
  CompositeDamageLaw law;
  law.q = plane_stiffness(material);
  law.young_a = law.q.aa - law.q.ab * law.q.ab / law.q.bb;
  law.alpha = not_negative_field(material, "ALPH");
  law.xt = positive_field(material, "XT");
  law.yt = positive_field(material, "YT");
  law.yc = positive_field(material, "YC");
  law.sc = positive_field(material, "SC");
  const double square = law.sc * law.sc;
  law.shear_energy = square * (0.5 / law.q.shear + 0.75 * law.alpha * square);
  Prepared prepared = prepare_plane(material, law.q);
  prepared.n_history = CompositeDamageLaw::kHistory;
  prepared.parameters = std::make_shared<CompositeDamageLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CompositeDamageLaw, {.number = 22,
                                 .keyword = "MAT_COMPOSITE_DAMAGE",
                                 .supports = {.shell = true},
                                 .needs = {.material_axes = true},
                                 .young_field = "EA",
                                 .prepare = prepare_composite_damage})
