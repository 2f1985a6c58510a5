// Assumed strains of a thick shell, and a column of points through its thickness at one place of the middle
// surface.
//
// The velocity of the eight nodes splits into a linear part, with the mean gradient, and four hourglass
// fields h = eta zeta, zeta xi, xi eta, xi eta zeta with the vectors c_a = gamma_aI v_I / 8 (Belytschko and
// Bindeman 1993, "Assumed strain stabilization of the eight node hexahedral element"). gamma is orthogonal to
// linear fields, so that these have their exact strain in elements of any shape. zeta is the direction of the
// thickness. With the base vectors G at the centre, c_am = G_m . c_a, the hourglass sums X_a of the positions
// over 8, t_am = X_a . G^m, and b_am the mean over the volume of the derivative of field a along G_m, the
// strain of a column at (xi, eta) is that of the linear part plus
//
//   xi xi     eta c_2xi + zeta (c_1xi + eta c'_3xi)       zeta zeta    sum over a = 0, 1, 3 of X_a . c_a
//   eta eta   xi c_2eta + zeta (c_0eta + xi c'_3eta)      2 xi zeta    s_xi + eta h_xi
//   2 xi eta  zeta (c_0xi + c_1eta)                       2 eta zeta   s_eta + xi h_eta.
//
// * Transverse shears are those of the middles of the edges, interpolated across (Dvorkin and Bathe 1984, "A
//   continuum mechanics based four-node shell element for general non-linear analysis"; in solid-shells
//   Hauptmann and Schweizerhof 1998, "A systematic development of 'solid-shell' element formulations for
//   linear and non-linear analyses employing only displacement degrees of freedom"). Bending and Kirchhoff's
//   twist of flat elements have none, distorted or not. The mean of two edges exceeds the shear of the linear
//   part by
//     s_xi  = X_2 . c_0 + X_0 . c_2 - sum_a (c_axi b_azeta + c_azeta b_axi)
//     s_eta = X_2 . c_1 + X_1 . c_2 - sum_a (c_aeta b_azeta + c_azeta b_aeta),
//   whose sums are what the mean gradient has of the hourglass fields. The variation is
//     h_xi = c_0xi + c_2zeta - u, h_eta = c_1eta + c_2zeta - u,
//     u = s_xi t_2xi + s_eta t_2eta + sum_a X_2 . c_a b_azeta,
//   u being that of the uniform shear of the element in a distorted quadrilateral.
// * c'_3 = c_3 - t_2xi c_1 - t_2eta c_0 vanishes in uniform curvature of a distorted quadrilateral, too.
// * The thickness strain is the mean of those of the four edges through the thickness (Betsch and Stein 1995,
//   "An assumed strain approach avoiding artificial thickness straining for a nonlinear 4-node shell
//   element"). Otherwise bending of a curved element, whose edges are not parallel, would stretch its
//   thickness at the centre: with the edges' half vectors d = G_zeta + eta X_0 + xi X_1 + xi eta X_3, the
//   mean of d . v_d exceeds the centre's value by the sum above.
// * In-plane shears of in-plane bending are left out, as in elements/solid/assumed_strain_hexahedron.hpp.
//
// Uniform stresses in the plane and uniform moments are in equilibrium where the edges through the thickness
// are parallel; for tapered elements under a thickness stress they are not (no element can do both: MacNeal
// 1987, "A theorem regarding the locking of tapered four-noded membrane elements").
#pragma once

#include "elements/solid/assumed_strain_hexahedron.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Generalised strains (rates) of the hourglass fields, or their conjugates.
template <class V>
struct ShellStrains {
  V membrane[2];    ///< eta in xi xi, xi in eta eta
  V bent[2];        ///< eta zeta in xi xi, xi zeta in eta eta
  V shear[2];       ///< h_xi, h_eta
  V curvature[3];   ///< zeta in xi xi, eta eta, 2 xi eta
  V mean_shear[2];  ///< s_xi, s_eta
  V mean_thickness;
  V thickness[3];  ///< of the thickness: eta, xi, xi eta

  void clear() {
    for (int i = 0; i < 2; ++i) membrane[i] = bent[i] = shear[i] = mean_shear[i] = V(0);
    for (int i = 0; i < 3; ++i) curvature[i] = thickness[i] = V(0);
    mean_thickness = V(0);
  }
};

/// What the hourglass fields of an element have in common with its base vectors.
template <class V>
struct FieldGeometry {
  V taper[4][3];  ///< t_am = X_a . G^m
  V mean[3][3];   ///< b_am

  explicit FieldGeometry(const AssumedStrainGeometry<V>& g) {
    using T = simd::scalar_t<V>;
    const V eighth(static_cast<T>(0.125)), scale = V(static_cast<T>(8 / kPatternScale)) * g.inverse;
    for (int a = 0; a < 4; ++a)
      for (int m = 0; m < 3; ++m)
        taper[a][m] = eighth * (g.x[0].hourglass[a] * g.dual[m][0] + g.x[1].hourglass[a] * g.dual[m][1] +
                                g.x[2].hourglass[a] * g.dual[m][2]);
    for (int a = 0; a < 3; ++a)
      for (int m = 0; m < 3; ++m)
        mean[a][m] = scale * (g.b.hourglass[a][0] * g.base[m][0] + g.b.hourglass[a][1] * g.base[m][1] +
                              g.b.hourglass[a][2] * g.base[m][2]);
  }
};

/// X_a . c_b.
template <class V>
V product(const V (&x)[3], const V (&c)[3]) {
  return x[0] * c[0] + x[1] * c[1] + x[2] * c[2];
}

template <class V>
void shell_strains(const FieldGeometry<V>& g, const V (&c)[4][3], ShellStrains<V>& e) {
  const V(&t)[4][3] = g.taper;
  e.mean_shear[0] = product(t[2], c[0]) + product(t[0], c[2]);
  e.mean_shear[1] = product(t[2], c[1]) + product(t[1], c[2]);
  e.mean_thickness = product(t[0], c[0]) + product(t[1], c[1]) + product(t[3], c[3]);
  V uniform(0);
  for (int a = 0; a < 3; ++a) {
    uniform += product(t[2], c[a]) * g.mean[a][2];
    for (int i = 0; i < 2; ++i) e.mean_shear[i] -= c[a][i] * g.mean[a][2] + c[a][2] * g.mean[a][i];
  }
  uniform += e.mean_shear[0] * t[2][0] + e.mean_shear[1] * t[2][1];
  e.shear[0] = c[0][0] + c[2][2] - uniform;
  e.shear[1] = c[1][1] + c[2][2] - uniform;
  for (int i = 0; i < 2; ++i) {
    e.membrane[i] = c[2][i];
    e.bent[i] = c[3][i] - t[2][0] * c[1][i] - t[2][1] * c[0][i];
  }
  e.curvature[0] = c[1][0];
  e.curvature[1] = c[0][1];
  e.curvature[2] = c[0][0] + c[1][1];
  e.thickness[0] = c[0][2];
  e.thickness[1] = c[1][2];
  e.thickness[2] = c[3][2];
}

/// The transpose of `shell_strains`: conjugates of c from those of the strains.
template <class V>
void conjugates_of(const FieldGeometry<V>& g, const ShellStrains<V>& f, V (&c)[4][3]) {
  const V(&t)[4][3] = g.taper;
  const V both = f.shear[0] + f.shear[1];
  const V mean[2] = {f.mean_shear[0] - t[2][0] * both, f.mean_shear[1] - t[2][1] * both};
  for (int m = 0; m < 3; ++m) {
    c[0][m] = t[2][m] * mean[0] + t[0][m] * f.mean_thickness;
    c[1][m] = t[2][m] * mean[1] + t[1][m] * f.mean_thickness;
    c[2][m] = t[0][m] * mean[0] + t[1][m] * mean[1];
    c[3][m] = t[3][m] * f.mean_thickness;
  }
  for (int a = 0; a < 3; ++a) {
    for (int m = 0; m < 3; ++m) c[a][m] -= t[2][m] * g.mean[a][2] * both;
    for (int i = 0; i < 2; ++i) c[a][i] -= g.mean[a][2] * mean[i];
    c[a][2] -= g.mean[a][0] * mean[0] + g.mean[a][1] * mean[1];
  }
  for (int i = 0; i < 2; ++i) {
    c[2][i] += f.membrane[i];
    c[3][i] += f.bent[i];
    c[1][i] -= t[2][0] * f.bent[i];
    c[0][i] -= t[2][1] * f.bent[i];
  }
  c[0][0] += f.shear[0] + f.curvature[2];
  c[1][1] += f.shear[1] + f.curvature[2];
  c[2][2] += both;
  c[1][0] += f.curvature[0];
  c[0][1] += f.curvature[1];
  c[0][2] += f.thickness[0];
  c[1][2] += f.thickness[1];
  c[3][2] += f.thickness[2];
}

/// xx yy zz xy yz zx (shears engineering) of sum e_mn G^m G^n, e symmetric.
template <class V>
void strain_of_natural(const V (&dual)[3][3], const V (&e)[3][3], V (&d)[6]) {
  V full[3][3];
  for (int i = 0; i < 3; ++i) {
    V row[3];
    for (int n = 0; n < 3; ++n) row[n] = dual[0][i] * e[0][n] + dual[1][i] * e[1][n] + dual[2][i] * e[2][n];
    for (int j = i; j < 3; ++j) full[i][j] = row[0] * dual[0][j] + row[1] * dual[1][j] + row[2] * dual[2][j];
  }
  for (int i = 0; i < 3; ++i) d[i] = full[i][i];
  d[3] = V(2) * full[0][1];
  d[4] = V(2) * full[1][2];
  d[5] = V(2) * full[0][2];
}

/// S^mn = G^m s G^n of a stress xx yy zz xy yz zx.
template <class V>
void natural_stress(const V (&dual)[3][3], const V (&s)[6], V (&natural)[3][3]) {
  const V t[3][3] = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
  for (int m = 0; m < 3; ++m) {
    V row[3];
    for (int j = 0; j < 3; ++j) row[j] = dual[m][0] * t[0][j] + dual[m][1] * t[1][j] + dual[m][2] * t[2][j];
    for (int n = 0; n < 3; ++n)
      natural[m][n] = row[0] * dual[n][0] + row[1] * dual[n][1] + row[2] * dual[n][2];
  }
}

/// n t n of a tensor xx yy zz xy yz zx.
template <class V>
V normal_component(const V (&t)[6], const V (&n)[3]) {
  return t[0] * n[0] * n[0] + t[1] * n[1] * n[1] + t[2] * n[2] * n[2] +
         V(2) * (t[3] * n[0] * n[1] + t[4] * n[1] * n[2] + t[5] * n[2] * n[0]);
}

/// t n without its part along n: the transverse shear vector of a tensor.
template <class V>
void transverse_shear(const V (&t)[6], const V (&n)[3], V (&shear)[3]) {
  const V along[3] = {t[0] * n[0] + t[3] * n[1] + t[5] * n[2], t[3] * n[0] + t[1] * n[1] + t[4] * n[2],
                      t[5] * n[0] + t[4] * n[1] + t[2] * n[2]};
  const V normal = product(along, n);
  for (int i = 0; i < 3; ++i) shear[i] = along[i] - normal * n[i];
}

/// Adds factor (n u + u n); `shears` is 2 for engineering shears, else 1.
template <class V>
void add_dyads(V factor, const V (&n)[3], const V (&u)[3], V shears, V (&t)[6]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    t[i] += V(2) * factor * n[i] * u[i];
    t[3 + i] += shears * factor * (n[i] * u[j] + n[j] * u[i]);
  }
}

/// Strain increments of a column: membrane + zeta bending, shears engineering.
template <class V>
struct ColumnStrain {
  V membrane[6], bending[6];
  V shear[3];  ///< transverse, of the membrane part: half of the engineering shear, as a vector
};

/// The column at (xi, eta); `mean` is the increment of the linear part, n the normal.
template <class V>
void column_strain(const V (&dual)[3][3], const V (&n)[3], const ShellStrains<V>& e, double xi, double eta,
                   V dt, const V (&mean)[6], ColumnStrain<V>& out) {
  using T = simd::scalar_t<V>;
  const V x(static_cast<T>(xi)), y(static_cast<T>(eta)), half(static_cast<T>(0.5)), zero(0);
  const V xz = half * (e.mean_shear[0] + y * e.shear[0]), yz = half * (e.mean_shear[1] + x * e.shear[1]);
  const V m[3][3] = {
      {y * e.membrane[0], zero, xz}, {zero, x * e.membrane[1], yz}, {xz, yz, e.mean_thickness}};
  const V twist = half * e.curvature[2];
  const V b[3][3] = {{e.curvature[0] + y * e.bent[0], twist, zero},
                     {twist, e.curvature[1] + x * e.bent[1], zero},
                     {zero, zero, zero}};
  V d[6];
  strain_of_natural(dual, m, d);
  for (int k = 0; k < 6; ++k) out.membrane[k] = mean[k] + dt * d[k];
  strain_of_natural(dual, b, d);
  for (int k = 0; k < 6; ++k) out.bending[k] = dt * d[k];
  V tensor[6];
  for (int k = 0; k < 6; ++k) tensor[k] = k < 3 ? out.membrane[k] : half * out.membrane[k];
  transverse_shear(tensor, n, out.shear);
}

/// Means of a column's stress over its thickness with the weights 1 and zeta: conjugate to its strains.
template <class V>
struct ColumnStress {
  V force[6], moment[6];

  ColumnStress() {
    for (V& f : force) f = V(0);
    for (V& m : moment) m = V(0);
  }
};

/// Adds a column's conjugates of the generalised strains: the transpose of `column_strain`.
template <class V>
void add_column(const V (&dual)[3][3], const ColumnStress<V>& s, double xi, double eta, V weight,
                ShellStrains<V>& f) {
  using T = simd::scalar_t<V>;
  const V x = V(static_cast<T>(xi)) * weight, y = V(static_cast<T>(eta)) * weight;
  V n[3][3], m[3][3];
  natural_stress(dual, s.force, n);
  natural_stress(dual, s.moment, m);
  f.membrane[0] += y * n[0][0];
  f.membrane[1] += x * n[1][1];
  f.mean_shear[0] += weight * n[0][2];
  f.mean_shear[1] += weight * n[1][2];
  f.shear[0] += y * n[0][2];
  f.shear[1] += x * n[1][2];
  f.mean_thickness += weight * n[2][2];
  f.curvature[0] += weight * m[0][0];
  f.curvature[1] += weight * m[1][1];
  f.curvature[2] += weight * m[0][1];
  f.bent[0] += y * m[0][0];
  f.bent[1] += x * m[1][1];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
