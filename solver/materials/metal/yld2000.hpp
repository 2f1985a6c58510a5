// The yield function Yld2000-2d for sheets, with its first and second derivatives.
//
// Barlat and others (2003, Int. J. Plasticity 19, p. 1297, eqs. 13 to 20), x along the rolling direction:
//
//   2 f^a = |X'1 - X'2|^a + |2 X''2 + X''1|^a + |2 X''1 + X''2|^a
//
// with the principal values of X' = L' s and X'' = L'' s:
//
//   L'_11 = 2 a1 / 3,   L'_12 = -a1 / 3,   L'_21 = -a2 / 3,   L'_22 = 2 a2 / 3,   L'_66 = a7
//   9 L''_11 = -2 a3 + 2 a4 + 8 a5 - 2 a6      9 L''_12 = a3 - 4 a4 - 4 a5 + 4 a6
//   9 L''_21 = 4 a3 - 4 a4 - 4 a5 + a6         9 L''_22 = -2 a3 + 8 a4 + 2 a5 - 2 a6      L''_66 = a8
//
// In half sums and radii of Mohr's circles, m and r, this is
//
//   2 f^a = |2 r'|^a + |3 m'' - r''|^a + |3 m'' + r''|^a.
//
// f is of degree 1 and is computed of the stress divided by its size. To the squares of both radii a
// millionth of the size squared is added (single precision: 3e-4), so that there are derivatives where they
// are 0.
#pragma once

#include "materials/metal/barlat_lian.hpp"

namespace crumple::materials {

/// Coefficients of s_x, s_y and s_xy.
struct Yld2000 {
  double exponent = 8;
  double sum[2] = {0.5, 0.5};                        ///< of 3 m''
  double first[2] = {0.5, -0.5}, first_shear = 1;    ///< of half the difference of X', of its shear
  double second[2] = {0.5, -0.5}, second_shear = 1;  ///< of X''
};

/// From the constants a1 to a8.
inline Yld2000 yld2000_of(double exponent, const double (&alpha)[8]) {
  const auto [a1, a2, a3, a4, a5, a6, a7, a8] = alpha;
  const double xx = (-2 * a3 + 2 * a4 + 8 * a5 - 2 * a6) / 9, xy = (a3 - 4 * a4 - 4 * a5 + 4 * a6) / 9;
  const double yx = (4 * a3 - 4 * a4 - 4 * a5 + a6) / 9, yy = (-2 * a3 + 8 * a4 + 2 * a5 - 2 * a6) / 9;
  return {exponent, {1.5 * (xx + yx), 1.5 * (xy + yy)}, {(2 * a1 + a2) / 6, -(a1 + 2 * a2) / 6},
          a7,       {0.5 * (xx - yx), 0.5 * (xy - yy)}, a8};
}

/// `factor` times f.
inline Yld2000 scaled(Yld2000 law, double factor) {
  for (double* of : {law.sum, law.first, law.second})
    for (int i = 0; i < 2; ++i) of[i] *= factor;
  law.first_shear *= factor;
  law.second_shear *= factor;
  return law;
}

inline namespace CRUMPLE_ISA {

template <class V>
struct Yld2000Surface {
  const Yld2000& law;

  /// f, and its derivatives if the caller uses them.
  SurfacePoint<V> at(const V (&s)[3]) const {
    const V u = V(law.sum[0]) * s[0] + V(law.sum[1]) * s[1];
    const V v1 = V(law.first[0]) * s[0] + V(law.first[1]) * s[1];
    const V v2 = V(law.second[0]) * s[0] + V(law.second[1]) * s[1];
    const V w1 = V(law.first_shear) * s[2], w2 = V(law.second_shear) * s[2];
    const V size = simd::max(simd::abs(u) + simd::abs(v1) + simd::abs(v2) + simd::abs(w1), V(1e-20));
    const V per = V(1) / size;
    const Circle first(per * v1, per * w1, law.first, law.first_shear);
    const Circle second(per * v2, per * w2, law.second, law.second_shear);
    const Powers q = powers(per * u, second.radius, first.radius);
    const V g[3] = {V(law.sum[0]), V(law.sum[1]), V(0)};
    SurfacePoint<V> to;
    to.f = size * q.value;
    for (int i = 0; i < 3; ++i) to.n[i] = q.du * g[i] + q.d2 * second.n[i] + q.d1 * first.n[i];
    constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; ++k) {
      const int i = row[k], j = column[k];
      const V(&m)[3] = second.n;
      const V(&n)[3] = first.n;
      to.h[k] =
          per * (q.duu * g[i] * g[j] + q.d22 * m[i] * m[j] + q.d11 * n[i] * n[j] +
                 q.du2 * (g[i] * m[j] + m[i] * g[j]) + q.du1 * (g[i] * n[j] + n[i] * g[j]) +
                 q.d21 * (m[i] * n[j] + n[i] * m[j]) + q.d2 * second.bend(i, j) + q.d1 * first.bend(i, j));
    }
    return to;
  }

 private:
  /// The radius of a circle, with its derivatives.
  struct Circle {
    V radius, per_radius, n[3];
    V e[2], shear;
    Circle(V v, V w, const double (&along)[2], double of_shear)
        : e{V(along[0]), V(along[1])}, shear(of_shear) {
      constexpr double blunt = sizeof(simd::scalar_t<V>) == sizeof(float) ? 3e-4 : 1e-6;
      radius = simd::sqrt(v * v + w * w + V(blunt * blunt));
      per_radius = V(1) / radius;
      n[0] = v * per_radius * e[0];
      n[1] = v * per_radius * e[1];
      n[2] = w * per_radius * shear;
    }
    V bend(int i, int j) const {
      const V square = i < 2 && j < 2 ? e[i] * e[j] : i == 2 && j == 2 ? shear * shear : V(0);
      return per_radius * (square - n[i] * n[j]);
    }
  };

  /// f over 3 m'', r'' and r', with its derivatives.
  struct Powers {
    V value, du, d2, d1, duu, d22, d11, du2, du1, d21;
  };
  Powers powers(V u, V r2, V r1) const {
    const double a = law.exponent;
    const V of[3] = {r1 + r1, u - r2, u + r2}, half(0.5), steep(a - 1);
    V curved[3], line[3];  // |x|^(a - 2), and that times x
    V sum(0);
    for (int i = 0; i < 3; ++i) {
      curved[i] = barlat_power(simd::abs(of[i]), a - 2);
      line[i] = curved[i] * of[i];
      sum += half * line[i] * of[i];
    }
    const V value = simd::pow(sum, V(1 / a)), share = value / sum, inverse = V(1) / value;
    const V du = share * half * (line[1] + line[2]), d2 = share * half * (line[2] - line[1]);
    const V d1 = share * line[0];
    const V both = share * half * (curved[1] + curved[2]), apart = share * half * (curved[2] - curved[1]);
    return {value,
            du,
            d2,
            d1,
            steep * (both - du * du * inverse),
            steep * (both - d2 * d2 * inverse),
            steep * (share * V(2) * curved[0] - d1 * d1 * inverse),
            steep * (apart - du * d2 * inverse),
            -(steep * du * d1 * inverse),
            -(steep * d2 * d1 * inverse)};
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
