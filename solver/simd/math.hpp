// exp, log, pow, floor and round for Vec and for plain float and double, without branches or tables.
//
// Accuracy over the whole range, tested in tests/unit/simd/math.cpp: exp and log 2 ulp; pow 2 + 2 |y log x|
// ulp, because it is exp(y log x) without extra digits. exp returns 0 below the logarithm of the smallest
// normal number. The scalar versions run the same arithmetic, so a law gives the same bits in both.
// Argument reductions after Cody and Waite (1980); the series of log is that of the inverse hyperbolic
// tangent. Coefficients are those of the Taylor series, long enough for the reduced interval.
#pragma once

#include <bit>
#include <limits>

#include "simd/vec.hpp"

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

namespace detail {

/// Constants of a floating-point format for the algorithms.
template <class T>
struct Format;
template <>
struct Format<double> {
  static constexpr int mantissa_bits = 52;
  static constexpr std::int64_t bias = 1023;
  static constexpr double integer_shift = 0x1.8p52;  ///< x + shift rounds x and leaves it in the low bits
  static constexpr double ln2_high = 0x1.62e42fee00000p-1;  ///< 33 bits: products with exponents are exact
  static constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double exp_low = -707.7, exp_high = 710.0;
  static constexpr std::int64_t sqrt_half_bits = 0x3fe6a09e667f3bcd;
  static constexpr std::int64_t one_bits = 0x3ff0000000000000;
};
template <>
struct Format<float> {
  static constexpr int mantissa_bits = 23;
  static constexpr std::int32_t bias = 127;
  static constexpr float integer_shift = 0x1.8p23f;
  static constexpr float ln2_high = 0x1.62e400p-1f;
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float exp_low = -86.6f, exp_high = 89.0f;
  static constexpr std::int32_t sqrt_half_bits = 0x3f3504f3;
  static constexpr std::int32_t one_bits = 0x3f800000;
};

template <class T, int W>
native_t<int_of_t<T>, W> bits(Vec<T, W> a) {
  return std::bit_cast<native_t<int_of_t<T>, W>>(a.n);
}
template <class T, int W>
Vec<T, W> from_bits(native_t<int_of_t<T>, W> b) {
  return std::bit_cast<native_t<T, W>>(b);
}

/// Sum of x^(k - First) / k! for k = First .. Last: the Taylor series of exp from term First on.
template <int First, int Last, class V>
V exp_series(V x) {
  constexpr auto factorial = [](int n) {
    double f = 1;
    for (int i = 2; i <= n; ++i) f *= i;
    return f;
  };
  V sum = V(1.0 / factorial(Last));
  for (int k = Last - 1; k >= First; --k) sum = sum * x + V(1.0 / factorial(k));
  return sum;
}

/// 2 z / 3 + 2 z^2 / 5 + ... + 2 z^Last / (2 Last + 1).
template <int Last, class V>
V atanh_series(V z) {
  V sum = V(2.0 / (2 * Last + 1));
  for (int k = Last - 1; k >= 1; --k) sum = sum * z + V(2.0 / (2 * k + 1));
  return sum * z;
}

}  // namespace detail

/// e^x. Overflows to infinity; 0 below the smallest normal number.
template <class T, int W>
Vec<T, W> exp(Vec<T, W> x) {
  using F = detail::Format<T>;
  using V = Vec<T, W>;
  const V inside = max(min(x, V(F::exp_high)), V(F::exp_low));
  const V shifted = inside * V(T(1.4426950408889634)) + V(F::integer_shift);
  const V n = shifted - V(F::integer_shift);
  const V r = (inside - n * V(F::ln2_high)) - n * V(F::ln2_low);
  constexpr int last = sizeof(T) == 8 ? 13 : 7;
  const V p = V(1) + (r + r * r * detail::exp_series<2, last>(r));
  // 2^(n-1), then doubled, so that the largest results do not overflow on the way.
  const V scale = detail::from_bits<T, W>((detail::bits(shifted) + (F::bias - 1)) << F::mantissa_bits);
  const V y = select(x < V(F::exp_low), V(0), p * scale * V(2));
  return select(x == x, y, x);  // NOLINT(misc-redundant-expression): NaN
}

/// Natural logarithm; -infinity at 0, NaN below.
template <class T, int W>
Vec<T, W> log(Vec<T, W> x) {
  using F = detail::Format<T>;
  using V = Vec<T, W>;
  using U = native_t<std::make_unsigned_t<int_of_t<T>>, W>;
  using I = native_t<int_of_t<T>, W>;
  using Limits = std::numeric_limits<T>;
  const auto tiny = x < V(Limits::min());
  const V normal = select(tiny, x * V(T(int_of_t<T>(1) << F::mantissa_bits)), x);
  // x = 2^k m with m between sqrt(1/2) and sqrt(2); exponents are made floating-point by their bits.
  const I moved = detail::bits(normal) + (F::one_bits - F::sqrt_half_bits);
  const I exponent = I(U(moved) >> F::mantissa_bits) - F::bias;
  constexpr int_of_t<T> mantissa = (int_of_t<T>(1) << F::mantissa_bits) - 1;
  const V m = detail::from_bits<T, W>((moved & mantissa) + F::sqrt_half_bits);
  const V shift = V(F::integer_shift);
  V k = detail::from_bits<T, W>(detail::bits(shift) + exponent) - shift;
  k = select(tiny, k - V(F::mantissa_bits), k);
  // log m = 2 atanh(s), s = f / (2 + f), arranged so that the leading f is added last.
  const V f = m - V(1);
  const V s = f / (V(2) + f);
  const V half_square = V(T(0.5)) * f * f;
  const V series = detail::atanh_series<(sizeof(T) == 8 ? 10 : 4)>(s * s);
  const V y = k * V(F::ln2_high) - ((half_square - (s * (half_square + series) + k * V(F::ln2_low))) - f);
  const V at_ends = select(x == V(0), V(-Limits::infinity()), V(Limits::quiet_NaN()));
  return select(x > V(0), select(x < V(Limits::infinity()), y, x), at_ends);
}

/// x^y for x >= 0; 0^0 = 1.
template <class T, int W>
Vec<T, W> pow(Vec<T, W> x, Vec<T, W> y) {
  using V = Vec<T, W>;
  return select(y == V(0), V(1), exp(y * log(x)));
}

/// Nearest integer, halves to even.
template <class T, int W>
Vec<T, W> round(Vec<T, W> x) {
  using V = Vec<T, W>;
  const V whole = V(T(int_of_t<T>(1) << detail::Format<T>::mantissa_bits));  // beyond it all are integers
  const V size = abs(x);
  const V rounded = (size + whole) - whole;
  return select(size < whole, select(x < V(0), -rounded, rounded), x);
}

/// Largest integer not greater than x.
template <class T, int W>
Vec<T, W> floor(Vec<T, W> x) {
  using V = Vec<T, W>;
  const V nearest = round(x);
  return select(nearest > x, nearest - V(1), nearest);
}

// ---- the same on several --------------------------------------------------------------------------

template <class H, int N>
Several<H, N> exp(Several<H, N> x) {
  return {exp(x.first), exp(x.rest)};
}
template <class H, int N>
Several<H, N> log(Several<H, N> x) {
  return {log(x.first), log(x.rest)};
}
template <class H, int N>
Several<H, N> pow(Several<H, N> x, Several<H, N> y) {
  return {pow(x.first, y.first), pow(x.rest, y.rest)};
}

// ---- the same on float and double -----------------------------------------------------------------

inline double exp(double x) { return lane(exp(Vec<double, 2>(x)), 0); }
inline float exp(float x) { return lane(exp(Vec<float, 4>(x)), 0); }
inline double log(double x) { return lane(log(Vec<double, 2>(x)), 0); }
inline float log(float x) { return lane(log(Vec<float, 4>(x)), 0); }
inline double pow(double x, double y) { return lane(pow(Vec<double, 2>(x), Vec<double, 2>(y)), 0); }
inline float pow(float x, float y) { return lane(pow(Vec<float, 4>(x), Vec<float, 4>(y)), 0); }
inline double round(double x) { return lane(round(Vec<double, 2>(x)), 0); }
inline float round(float x) { return lane(round(Vec<float, 4>(x)), 0); }
inline double floor(double x) { return lane(floor(Vec<double, 2>(x)), 0); }
inline float floor(float x) { return lane(floor(Vec<float, 4>(x)), 0); }

// ---- the same with derivatives ----------------------------------------------------------------------

template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& x) {
  const T f = exp(x.value);
  return x.chain(f, f);
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& x) {
  return x.chain(log(x.value), T(1) / x.value);
}
/// At x = 0 the derivatives are 0, also where the slope is infinite.
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& y) {
  const T f = pow(x.value, y.value);
  if (!(x.value > T(0))) return f;
  using D = typename Dual<T, N>::Derivatives;
  return {f, D(f * y.value / x.value) * x.d + D(f * log(x.value)) * y.d};
}
template <class T, int N>
Dual<T, N> round(const Dual<T, N>& x) {
  return round(x.value);
}
template <class T, int N>
Dual<T, N> floor(const Dual<T, N>& x) {
  return floor(x.value);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
