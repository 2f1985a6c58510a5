// Strain increment and rotation of a step from a velocity gradient, and the rotation of stresses.
//
// The velocity gradient is taken on the geometry half way between the two steps. There the gradient of a
// rigid motion of any size is exactly skew, so its strain increment is exactly zero, and the rotation of
// Hughes and Winget (1980, "Finite rotation effects in numerical integration of rate constitutive equations
// arising in large-deformation analysis") is exactly that of the nodes.
#pragma once

#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Positions half way through the step that has just been made.
template <class V, int N>
void midstep_positions(const V (&x)[N][3], const V (&v)[N][3], V dt, V (&mid)[N][3]) {
  const V half_dt = V(static_cast<simd::scalar_t<V>>(0.5)) * dt;
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i) mid[a][i] = x[a][i] - half_dt * v[a][i];
}

/// L[i][j] = factor * sum_I v_iI g_jI: the velocity gradient when `factor` is 1 over the volume for
/// integrated gradients, 1 for gradients at a point.
template <class V, int N>
void velocity_gradient(const V (&v)[N][3], const V (&g)[N][3], V factor, V (&l)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      V sum = v[0][i] * g[0][j];
      for (int a = 1; a < N; ++a) sum += v[a][i] * g[a][j];
      l[i][j] = factor * sum;
    }
}

/// Strain increment xx yy zz xy yz zx, shears engineering.
template <class V>
void strain_increment(const V (&l)[3][3], V dt, V (&d)[6]) {
  d[0] = dt * l[0][0];
  d[1] = dt * l[1][1];
  d[2] = dt * l[2][2];
  d[3] = dt * (l[0][1] + l[1][0]);
  d[4] = dt * (l[1][2] + l[2][1]);
  d[5] = dt * (l[2][0] + l[0][2]);
}

/// Rotation of the step: R = (I - W/2)^-1 (I + W/2) with W = dt * spin. With a the axial vector of W/2 and
/// A its matrix, (I - A)^-1 (I + A) = I + 2 (A + A^2) / (1 + a.a).
template <class V>
void step_rotation(const V (&l)[3][3], V dt, V (&r)[3][3]) {
  using T = simd::scalar_t<V>;
  const V quarter_dt = V(static_cast<T>(0.25)) * dt;
  const V a[3] = {quarter_dt * (l[2][1] - l[1][2]), quarter_dt * (l[0][2] - l[2][0]),
                  quarter_dt * (l[1][0] - l[0][1])};
  const V aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const V f = V(static_cast<T>(2)) * simd::inverse(V(static_cast<T>(1)) + aa);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i][i] = V(static_cast<T>(1)) + f * (a[i] * a[i] - aa);
    r[i][j] = f * (a[i] * a[j] - a[k]);
    r[i][k] = f * (a[i] * a[k] + a[j]);
  }
}

/// s = R s R^T for a symmetric tensor stored xx yy zz xy yz zx, row by row of R s, because GCC would store
/// the whole product.
template <class V>
void rotate_symmetric(const V (&r)[3][3], V (&s)[6]) {
  const V xx = s[0], yy = s[1], zz = s[2], xy = s[3], yz = s[4], zx = s[5];
  V x, y, z;  // a row of R s
  const auto row = [&](const V(&of)[3]) {
    x = of[0] * xx + of[1] * xy + of[2] * zx;
    y = of[0] * xy + of[1] * yy + of[2] * yz;
    z = of[0] * zx + of[1] * yz + of[2] * zz;
  };
  const auto times = [&](const V(&of)[3]) { return x * of[0] + y * of[1] + z * of[2]; };
  row(r[0]);
  s[0] = times(r[0]);
  s[3] = times(r[1]);
  row(r[1]);
  s[1] = times(r[1]);
  s[4] = times(r[2]);
  row(r[2]);
  s[2] = times(r[2]);
  s[5] = times(r[0]);
}

/// A strain increment (shears engineering) in axes half way through the step becomes one in those at its end:
/// turned by the root of the step's rotation. The stress is then of second order also where the step turns
/// far (Simo and Hughes 1998, Computational Inelasticity, section 8.3), and its derivative is symmetric where
/// that of the law is. With the quaternion (s, v) of the rotation, that of its root is (c, v / 2c),
/// c = root of (1 + s) / 2.
template <class V>
void turn_to_end(const V (&rotation)[3][3], V (&d)[6]) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const V four_s2 = constant(1) + rotation[0][0] + rotation[1][1] + rotation[2][2];
  const V two_s = four_s2 * simd::inverse_sqrt(four_s2);
  const V c2 = constant(0.5) + constant(0.25) * two_s;  // (1 + s) / 2
  const V c_inverse = simd::inverse_sqrt(c2), c = c2 * c_inverse;
  const V factor = constant(0.25) * c_inverse * simd::inverse(two_s);
  V u[3], q[3][3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    u[i] = factor * (rotation[k][j] - rotation[j][k]);
  }
  const V uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], two = constant(2);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i][i] = constant(1) + two * (u[i] * u[i] - uu);
    q[i][j] = two * (u[i] * u[j] - c * u[k]);
    q[i][k] = two * (u[i] * u[k] + c * u[j]);
  }
  for (int k = 3; k < 6; ++k) d[k] *= constant(0.5);
  rotate_symmetric(q, d);
  for (int k = 3; k < 6; ++k) d[k] *= two;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
