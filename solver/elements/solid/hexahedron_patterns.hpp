// The exact mean gradient of a hexahedron in patterns of signs: six vectors instead of eight.
//
// Values at the nodes are sums of the patterns xi, eta, zeta and the hourglass patterns k, products of the
// two coordinates other than k, and 3, of all three. Let A_m be the sums of positions times the axis
// patterns, H_k those times the hourglass patterns, and m, n, o in cyclic order. Then x,m = (A_m + xi_n H_o +
// xi_o H_n + xi_n xi_o H_3) / 8, and after integration over the cube B_I = int N_I,m x,n x x,o has the parts
//
//   axis m        (A_n x A_o + H_o x H_n / 3) / 64
//   hourglass o   (A_n x H_m + H_n x A_m) / 192          hourglass 3   0
//
// which is the uniform gradient of Flanagan and Belytschko (1981), eqs. 16-17, in another form. The factor is
// applied later, where fewer numbers are multiplied: gradients here are 192 times as large.
#pragma once

#include "elements/solid/hourglass.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

inline constexpr double kPatternScale = 192;

/// kPatternScale B_iI = sum over patterns of axis[m][i] xi_Im and hourglass[k][i] h_Ik.
template <class V>
struct PatternGradient {
  V axis[3][3], hourglass[3][3];
};

/// Sums of all components of a nodal field times the patterns.
template <class V>
void sign_sums(const V (&u)[8][3], SignSums<V> (&sums)[3]) {
  for (int i = 0; i < 3; ++i) sums[i] = sign_sums(u, i);
}

/// The sums for positions at the time `back` before, with the velocity v.
template <class V>
void sign_sums_before(const SignSums<V> (&x)[3], const SignSums<V> (&v)[3], V back,
                      SignSums<V> (&before)[3]) {
  for (int i = 0; i < 3; ++i) {
    for (int m = 0; m < 3; ++m) before[i].axis[m] = x[i].axis[m] - back * v[i].axis[m];
    for (int a = 0; a < 4; ++a) before[i].hourglass[a] = x[i].hourglass[a] - back * v[i].hourglass[a];
  }
}

/// (An output argument, because GCC copies a return value as one block of bytes.)
template <class V>
void integrated_gradient(const SignSums<V> (&x)[3], PatternGradient<V>& b) {
  const V three(static_cast<simd::scalar_t<V>>(3));
  for (int m = 0; m < 3; ++m) {
    const int n = (m + 1) % 3, o = (m + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const SignSums<V>&p = x[(i + 1) % 3], &q = x[(i + 2) % 3];
      const V flat = p.axis[n] * q.axis[o] - q.axis[n] * p.axis[o];
      const V bent = p.hourglass[o] * q.hourglass[n] - q.hourglass[o] * p.hourglass[n];
      b.axis[m][i] = three * flat + bent;
      b.hourglass[o][i] = p.axis[n] * q.hourglass[m] - q.axis[n] * p.hourglass[m] +
                          p.hourglass[n] * q.axis[m] - q.hourglass[n] * p.axis[m];
    }
  }
}

/// kPatternScale sum_I u_I B_iI for one component u of a nodal field, given by its sums. For x and B_x it is
/// kPatternScale times the volume.
template <class V>
V integral(const SignSums<V>& u, const PatternGradient<V>& b, int i) {
  V sum = u.axis[0] * b.axis[0][i] + u.axis[1] * b.axis[1][i] + u.axis[2] * b.axis[2][i];
  for (int k = 0; k < 3; ++k) sum += u.hourglass[k] * b.hourglass[k][i];
  return sum;
}

/// l_ij = factor kPatternScale sum_I v_iI B_jI.
template <class V>
void velocity_gradient(const SignSums<V> (&v)[3], const PatternGradient<V>& b, V factor, V (&l)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) l[i][j] = factor * integral(v[i], b, j);
}

/// sum_I B_iI B_jI: xx yy zz xy yz zx.
template <class V>
void gradient_products(const PatternGradient<V>& b, V (&g)[6]) {
  const V scale(static_cast<simd::scalar_t<V>>(8 / (kPatternScale * kPatternScale)));
  const auto product = [&](int i, int j) {
    V sum = b.axis[0][i] * b.axis[0][j] + b.hourglass[0][i] * b.hourglass[0][j];
    for (int m = 1; m < 3; ++m) sum += b.axis[m][i] * b.axis[m][j] + b.hourglass[m][i] * b.hourglass[m][j];
    return scale * sum;
  };
  for (int i = 0; i < 3; ++i) g[i] = product(i, i), g[3 + i] = product(i, (i + 1) % 3);
}

/// The tensor for `pattern_forces` from a stress xx yy zz xy yz zx minus a pressure.
template <class V>
void pattern_stress(const V (&s)[6], V pressure, V (&t)[3][3]) {
  const V scale(static_cast<simd::scalar_t<V>>(1 / kPatternScale));
  for (int i = 0; i < 3; ++i) {
    t[i][i] = scale * (s[i] - pressure);
    t[i][(i + 1) % 3] = t[(i + 1) % 3][i] = scale * s[3 + i];
  }
}

/// f_I = t kPatternScale B_I + sum_a q_a h_aI.
template <class V>
void pattern_forces(const V (&t)[3][3], const PatternGradient<V>& b, const V (&q)[3][4], V (&f)[8][3]) {
  for (int i = 0; i < 3; ++i) {
    const auto stressed = [&](const V(&of)[3]) {
      return t[i][0] * of[0] + t[i][1] * of[1] + t[i][2] * of[2];
    };
    const V axis[3] = {stressed(b.axis[0]), stressed(b.axis[1]), stressed(b.axis[2])};
    V hourglass[4];
    for (int k = 0; k < 3; ++k) hourglass[k] = q[i][k] + stressed(b.hourglass[k]);
    hourglass[3] = q[i][3];
    set_pattern(axis, hourglass, i, f);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
