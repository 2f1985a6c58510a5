// Plane stress of a lamina with damage of its axes, from the strain as a whole: what laws of damage share.
//
// The compliance along the axes a, b of Matzenmiller, Lubliner and Taylor (1995, Mech. Mater. 20, p. 125), in
// which damage w of an axis divides its modulus, and Poisson's ratios over the moduli stay:
//
//   S_aa = 1 / ((1 - w_a) EA), S_bb = 1 / ((1 - w_b) EB), S_ab = -PRBA / EB, S_ss = 1 / ((1 - w_s) GAB)
//
// so that with n_ab = PRBA EA / EB, D = 1 - (1 - w_a) (1 - w_b) PRBA n_ab
//
//   s_a = (1 - w_a) EA (e_a + (1 - w_b) PRBA e_b) / D,   s_b = (1 - w_b) EB (e_b + (1 - w_a) n_ab e_a) / D
//
// An axis has its own damage in tension and in compression: a crack that closes carries pressure. Which one
// acts is decided by the sign of the stress; the stress is then continuous where a sign changes. Stresses
// over 1 - w are effective ones.
//
// History: strains a, b, ab, bc, ca; the thickness strain of the stress. Where these are all 0 but there is a
// stress, an initial one, they begin with what is elastic.
#pragma once

#include "materials/orthotropic/engineering_constants.hpp"

namespace crumple::materials {

/// Elastic constants of a lamina.
struct DamagedPlane {
  double young_a = 0, young_b = 0, ratio_ba = 0, ratio_ab = 0;
  double shear = 0, shear_bc = 0, shear_ca = 0;
  double thin_a = 0, thin_b = 0;  ///< thickness strain of stresses a and b

  static constexpr int kStrains = 5;             ///< a, b, ab, bc, ca
  static constexpr int kHistory = kStrains + 1;  ///< and the thickness strain
};

inline DamagedPlane damaged_plane(const PlaneStiffness& q) {
  return {.young_a = q.aa - q.ab * q.ab / q.bb,
          .young_b = q.bb - q.ab * q.ab / q.aa,
          .ratio_ba = q.ab / q.aa,
          .ratio_ab = q.ab / q.bb,
          .shear = q.shear,
          .shear_bc = q.shear_bc,
          .shear_ca = q.shear_ca,
          .thin_a = q.thin_a,
          .thin_b = q.thin_b};
}

inline namespace CRUMPLE_ISA {

/// Damage of the axes in tension and in compression.
template <class V>
struct AxisDamage {
  V a_pulled, a_pressed, b_pulled, b_pressed;
};

/// What is left of the moduli, 1 - w, and the effective stresses.
template <class V>
struct EffectivePlane {
  V left_a, left_b;
  V a, b;
};

/// The strains of a point at the end of a step; kept in the history from `first` on.
template <class V>
void add_strain(const DamagedPlane& p, const ShellPoint<V>& point, int first, const V (&d)[6],
                const V (&s)[6], V (&e)[DamagedPlane::kStrains]) {
  constexpr int from[DamagedPlane::kStrains] = {0, 1, 3, 4, 5};
  auto before = never(d[0]);
  for (int k = 0; k < DamagedPlane::kStrains; ++k) {
    e[k] = point.history.template load<V>(first + k);
    before = before || e[k] > V(0) || e[k] < V(0);
  }
  const V across(p.ratio_ba / p.young_b);
  const V elastic[DamagedPlane::kStrains] = {s[0] * V(1 / p.young_a) - across * s[1],
                                             s[1] * V(1 / p.young_b) - across * s[0], s[3] * V(1 / p.shear),
                                             s[4] * V(1 / p.shear_bc), s[5] * V(1 / p.shear_ca)};
  for (int k = 0; k < DamagedPlane::kStrains; ++k) {
    e[k] = simd::select(before, e[k], elastic[k]) + d[from[k]];
    point.history.store(first + k, e[k]);
  }
  const int thin = first + DamagedPlane::kStrains;
  const V thinned = point.history.template load<V>(thin);
  point.history.store(thin, simd::select(before, thinned, V(p.thin_a) * s[0] + V(p.thin_b) * s[1]));
}

/// The change of the thickness strain in a step, from stresses at its end.
template <class V>
V thickness_change(const DamagedPlane& p, const ShellPoint<V>& point, int first, V a, V b) {
  const int thin = first + DamagedPlane::kStrains;
  const V before = point.history.template load<V>(thin), now = V(p.thin_a) * a + V(p.thin_b) * b;
  point.history.store(thin, now);
  return now - before;
}

/// Effective stresses of strains a, b. Strains of opposite signs decide the first guess of which damage acts;
/// as PRBA n_ab < 1, at most one of the stresses has not the sign of its strain, and the third line has both.
template <class V>
EffectivePlane<V> effective_plane(const DamagedPlane& p, const AxisDamage<V>& w, V a, V b) {
  const V zero(0), one(1), ba(p.ratio_ba), ab(p.ratio_ab);
  V left_b = one - simd::select(b > zero, w.b_pulled, w.b_pressed);
  V left_a = one - simd::select(a + left_b * ba * b > zero, w.a_pulled, w.a_pressed);
  left_b = one - simd::select(b + left_a * ab * a > zero, w.b_pulled, w.b_pressed);
  left_a = one - simd::select(a + left_b * ba * b > zero, w.a_pulled, w.a_pressed);
  const V inverse = one / (one - left_a * left_b * ba * ab);
  return {left_a, left_b, V(p.young_a) * inverse * (a + left_b * ba * b),
          V(p.young_b) * inverse * (b + left_a * ab * a)};
}

/// The square of the effective strain of a material that keeps its volume, without transverse shear.
template <class V>
V effective_strain_squared(const V (&e)[DamagedPlane::kStrains]) {
  return V(4.0 / 3) * (e[0] * e[0] + e[0] * e[1] + e[1] * e[1] + V(0.25) * e[2] * e[2]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
