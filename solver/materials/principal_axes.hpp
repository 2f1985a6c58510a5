// Principal values and axes of symmetric tensors, all lanes at once and without branches; and tensors that
// are functions of another one.
//
// The axes come from cyclic Jacobi rotations, as in principal_values.hpp (Jacobi 1846; Golub and Van Loan
// 2013, section 8.5), so they are orthogonal to rounding also where values coincide.
//
// A tensor function s = sum f_i n_i n_i with f_i = phi(b_i) + c, c the same for all i, has in the axes of b
// the derivative
//
//   ds_ii = df_i,   ds_ij = (f_i - f_j) / (b_i - b_j) db_ij,
//
// whose quotient becomes phi'(b_i) where values coincide (Daleckii and Krein 1951; Ogden 1984, Non-Linear
// Elastic Deformations, section 6.1.4). So numbers with derivatives are not led through the rotations, whose
// derivative has no limit there: the axes are those of the values, and the shears of b in them have the value
// 0, but derivatives.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Pairs of principal directions in the order of shears: 12, 23, 31.
inline constexpr int kFirstOfPair[3] = {0, 1, 2}, kSecondOfPair[3] = {1, 2, 0};

template <class V>
struct PrincipalAxes {
  V value[3];
  V axis[3][3];  ///< axis[i] is the unit vector of value[i]
  V shear[3];    ///< in these axes: 0, of numbers with derivatives these
};

/// One Jacobi rotation that makes side[k] zero; the axes turn along.
template <class V>
[[gnu::always_inline]] inline void jacobi_rotation(int k, V (&diagonal)[3], V (&side)[3], V (&axis)[3][3]) {
  const int p = k, q = (k + 1) % 3;  // side[k] couples p and q; the others couple q and r, r and p
  V &pq = side[k], &qr = side[(k + 1) % 3], &rp = side[(k + 2) % 3];
  const V difference = diagonal[q] - diagonal[p], twice = pq + pq;
  const V root = simd::sqrt(difference * difference + twice * twice);
  const V denominator = simd::select(difference < V(0), difference - root, difference + root);
  const simd::mask_t<V> none = denominator == V(0);
  const V t = simd::select(none, V(0), twice / simd::select(none, V(1), denominator));
  const V c = V(1) / simd::sqrt(V(1) + t * t), s = t * c;
  diagonal[p] -= t * pq;
  diagonal[q] += t * pq;
  const V old = qr;
  qr = s * rp + c * qr;
  rp = c * rp - s * old;
  pq = V(0);
  for (int i = 0; i < 3; ++i) {
    const V first = axis[p][i];
    axis[p][i] = c * first - s * axis[q][i];
    axis[q][i] = s * first + c * axis[q][i];
  }
}

/// n a m, of a tensor xx yy zz xy yz zx.
template <class V>
[[gnu::always_inline]] inline V component(const V (&n)[3], const V (&a)[6], const V (&m)[3]) {
  return n[0] * (a[0] * m[0] + a[3] * m[1] + a[5] * m[2]) + n[1] * (a[3] * m[0] + a[1] * m[1] + a[4] * m[2]) +
         n[2] * (a[5] * m[0] + a[4] * m[1] + a[2] * m[2]);
}

template <class V>
[[gnu::always_inline]] inline void principal_axes(const V (&a)[6], PrincipalAxes<V>& p) {
  if constexpr (simd::is_dual_v<V>) {
    using T = simd::scalar_t<V>;
    T values[6];
    for (int k = 0; k < 6; ++k) values[k] = a[k].value;
    PrincipalAxes<T> of_values;
    principal_axes(values, of_values);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) p.axis[i][j] = V(of_values.axis[i][j]);
    for (int i = 0; i < 3; ++i) {
      p.value[i] = component(p.axis[i], a, p.axis[i]);
      p.shear[i] = component(p.axis[kFirstOfPair[i]], a, p.axis[kSecondOfPair[i]]);
    }
  } else {
    V side[3] = {a[3], a[4], a[5]};  // xy, yz, zx
    for (int i = 0; i < 3; ++i) {
      p.value[i] = a[i];
      for (int j = 0; j < 3; ++j) p.axis[i][j] = V(i == j ? 1 : 0);
      p.shear[i] = V(0);
    }
    for (int sweep = 0; sweep < 5; ++sweep)
      for (int k = 0; k < 3; ++k) jacobi_rotation(k, p.value, side, p.axis);
  }
}

/// s = sum f_i n_i n_i. `slope` is phi' at each value; used only for derivatives, where values coincide.
template <class V>
[[gnu::always_inline]] inline void tensor_of_axes(const PrincipalAxes<V>& p, const V (&f)[3],
                                                  const V (&slope)[3], V (&s)[6]) {
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    s[k] = V(0);
    for (int i = 0; i < 3; ++i) s[k] += f[i] * p.axis[i][row[k]] * p.axis[i][column[k]];
  }
  if constexpr (simd::is_dual_v<V>) {
    using T = simd::scalar_t<V>;
    constexpr T close = 1e-6;
    for (int pair = 0; pair < 3; ++pair) {
      const int i = kFirstOfPair[pair], j = kSecondOfPair[pair];
      const T apart = p.value[i].value - p.value[j].value;
      const T quotient = simd::abs(apart) > close ? (f[i].value - f[j].value) / apart
                                                  : T(0.5) * (slope[i].value + slope[j].value);
      const V shear = quotient * p.shear[pair];
      for (int k = 0; k < 6; ++k)
        s[k] += shear * (p.axis[i][row[k]] * p.axis[j][column[k]] + p.axis[j][row[k]] * p.axis[i][column[k]]);
    }
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
