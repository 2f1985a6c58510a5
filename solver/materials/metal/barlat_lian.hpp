// The yield function of Barlat and Lian for sheets, with its first and second derivatives.
//
// Barlat and Lian (1989, Int. J. Plasticity 5, p. 51, eqs. 10 to 12), with the axis x along the rolling
// direction:
//
//   2 f^M = a |K1 + K2|^M + a |K1 - K2|^M + c |2 K2|^M,
//   K1 = (s_x + h s_y) / 2,   K2^2 = ((s_x - h s_y) / 2)^2 + p^2 s_xy^2
//
// f is the uniaxial stress in the direction x. It is of degree 1, so it is computed of the stress divided by
// its size: powers do not overflow. To K2^2 a millionth of the size squared is added (single precision:
// 3e-4), which changes f by 1e-11 of it, so that there are derivatives where K2 = 0.
#pragma once

#include "materials/plasticity/plane_surface_return.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// Parameters of the function. c = 2 - a.
struct BarlatLian {
  double exponent = 2, a = 1, h = 1, p = 1;
};

inline namespace CRUMPLE_ISA {

/// x^m for x >= 0; whole numbers by products.
template <class V>
V barlat_power(V x, double m) {
  const int whole = static_cast<int>(m);
  if (whole != m || whole > 32) return simd::pow(simd::max(x, V(1e-30)), V(m));
  V result(1), square = x;
  for (int k = whole; k > 0; k /= 2) {
    if (k % 2 != 0) result *= square;
    square *= square;
  }
  return result;
}

template <class V>
struct BarlatLianSurface {
  const BarlatLian& law;

  /// f, and its derivatives if the caller uses them.
  SurfacePoint<V> at(const V (&s)[3]) const {
    constexpr double blunt = sizeof(simd::scalar_t<V>) == sizeof(float) ? 3e-4 : 1e-6;
    const V half(0.5), h(law.h), pp(law.p * law.p);
    const V k1 = half * (s[0] + h * s[1]), v = half * (s[0] - h * s[1]);
    const V size = simd::max(simd::abs(k1) + simd::abs(v) + V(law.p) * simd::abs(s[2]), V(1e-20));
    const V per = V(1) / size, x1 = k1 * per, y = v * per, w = s[2] * per;
    const V square = y * y + pp * w * w + V(blunt * blunt);
    const V x2 = simd::sqrt(square), per_x2 = V(1) / x2;
    const Powers q = powers(x1, x2);

    // Derivatives of K1, and of K2 with the second ones: (e e + p^2 on shear - g2 g2) / K2, e = dv/ds.
    const V g1[3] = {half, half * h, V(0)}, e[2] = {half, -half * h};
    const V g2[3] = {y * per_x2 * e[0], y * per_x2 * e[1], pp * w * per_x2};
    SurfacePoint<V> to;
    to.f = size * q.value;
    for (int i = 0; i < 3; ++i) to.n[i] = q.d1 * g1[i] + q.d2 * g2[i];
    constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; ++k) {
      const int i = row[k], j = column[k];
      const V bend = i < 2 && j < 2 ? e[i] * e[j] : i == 2 && j == 2 ? pp : V(0);
      to.h[k] = per * (q.d11 * g1[i] * g1[j] + q.d12 * (g1[i] * g2[j] + g2[i] * g1[j]) +
                       q.d22 * g2[i] * g2[j] + q.d2 * per_x2 * (bend - g2[i] * g2[j]));
    }
    return to;
  }

 private:
  /// f over K1 and K2, with its derivatives.
  struct Powers {
    V value, d1, d2, d11, d12, d22;
  };
  Powers powers(V x1, V x2) const {
    const double m = law.exponent;
    const V half_a(0.5 * law.a), half_c(0.5 * (2 - law.a));
    const V of[3] = {x1 + x2, x1 - x2, x2 + x2};
    V curved[3], line[3];  // |x|^(M - 2), and that times x
    for (int i = 0; i < 3; ++i) {
      curved[i] = barlat_power(simd::abs(of[i]), m - 2);
      line[i] = curved[i] * of[i];
    }
    const V sum = half_a * (line[0] * of[0] + line[1] * of[1]) + half_c * line[2] * of[2];
    const V value = simd::pow(sum, V(1 / m)), share = value / sum;  // f, f^(1 - M)
    const V d1 = share * half_a * (line[0] + line[1]);
    const V d2 = share * (half_a * (line[0] - line[1]) + V(2) * half_c * line[2]);
    const V both = half_a * (curved[0] + curved[1]), steep(m - 1), inverse = V(1) / value;
    return {value,
            d1,
            d2,
            steep * (share * both - d1 * d1 * inverse),
            steep * (share * half_a * (curved[0] - curved[1]) - d1 * d2 * inverse),
            steep * (share * (both + V(4) * half_c * curved[2]) - d2 * d2 * inverse)};
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
