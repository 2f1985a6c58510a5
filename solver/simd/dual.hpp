// A number with N derivatives (forward-mode automatic differentiation), with the vocabulary of vec.hpp.
//
// One value and N directions, held as vectors of the processor's width: one element or point at a time, N
// directions per pass. Branches and masks depend on the value only: a law takes the same branch as without
// derivatives, and a mask is a bool. Memory holds values only: a loaded number has zero derivatives, a store
// drops them (`scalar_t` is T). Where a function has a corner the derivative is that of the branch taken;
// where its slope is infinite (the root of 0) it is 0. A part of vec.hpp; exp, log, pow are in math.hpp.
#pragma once

#include "simd/several.hpp"

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

/// Number of doubles in a register of the instruction set that this is compiled for.
#if defined(__AVX512F__)
inline constexpr int kNativeDoubles = 8;
#elif defined(__AVX__)
inline constexpr int kNativeDoubles = 4;
#else
inline constexpr int kNativeDoubles = 2;
#endif

template <class T, int N>
struct Dual {
  static constexpr int n_directions = N;
  static constexpr int kWidth = N < kNativeDoubles ? N : kNativeDoubles;
  static_assert(N % kWidth == 0, "whole registers of derivatives");
  using Derivatives = several_t<Vec<T, kWidth>, N / kWidth>;
  T value;
  Derivatives d;

  Dual() = default;
  Dual(T v) : value(v), d(T(0)) {}
  Dual(T v, const Derivatives& by) : value(v), d(by) {}
  explicit operator T() const { return value; }
  explicit operator std::int32_t() const { return static_cast<std::int32_t>(value); }

  /// f(this), where `slope` is the derivative of f.
  Dual chain(T f, T slope) const { return {f, Derivatives(slope) * d}; }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.d + b.d}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.d - b.d}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, Derivatives(a.value) * b.d + Derivatives(b.value) * a.d};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T f = a.value / b.value;
    return {f, Derivatives(T(1) / b.value) * (a.d - Derivatives(f) * b.d)};
  }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.d}; }
  // Operands without derivatives
  friend Dual operator+(T a, const Dual& b) { return {a + b.value, b.d}; }
  friend Dual operator+(const Dual& a, T b) { return {a.value + b, a.d}; }
  friend Dual operator-(T a, const Dual& b) { return {a - b.value, -b.d}; }
  friend Dual operator-(const Dual& a, T b) { return {a.value - b, a.d}; }
  friend Dual operator*(T a, const Dual& b) { return b.chain(a * b.value, a); }
  friend Dual operator*(const Dual& a, T b) { return a.chain(a.value * b, b); }
  friend Dual operator/(const Dual& a, T b) { return a.chain(a.value / b, T(1) / b); }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

template <class T, int N>
struct traits<Dual<T, N>> {
  using scalar = T;
  using mask = bool;
  static constexpr int width = 1;
};
template <class V>
inline constexpr bool is_dual_v = false;
template <class T, int N>
inline constexpr bool is_dual_v<Dual<T, N>> = true;

/// Derivatives by direction; `derivatives` must have room for N.
template <class T, int N>
void get_derivatives(const Dual<T, N>& a, T* derivatives) {
  static_assert(sizeof a.d == N * sizeof(T));
  std::memcpy(derivatives, &a.d, sizeof a.d);
}
/// The number `value` whose derivative in `direction` is 1 and 0 in the others; all are 0 if `direction` is
/// not in 0 to N - 1.
template <class T, int N>
void set_variable(Dual<T, N>& a, T value, int direction) {
  T d[N] = {};
  if (direction >= 0 && direction < N) d[direction] = T(1);
  a.value = value;
  std::memcpy(&a.d, d, sizeof a.d);
}

template <class T, int N>
Dual<T, N> select(bool m, const Dual<T, N>& a, const Dual<T, N>& b) {
  return m ? a : b;
}
template <class T, int N>
Dual<T, N> min(const Dual<T, N>& a, const Dual<T, N>& b) {
  return a.value < b.value ? a : b;
}
template <class T, int N>
Dual<T, N> max(const Dual<T, N>& a, const Dual<T, N>& b) {
  return a.value > b.value ? a : b;
}
template <class T, int N>
Dual<T, N> abs(const Dual<T, N>& a) {
  return a.value < T(0) ? -a : a;
}
template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& a) {
  const T root = std::sqrt(a.value);
  return a.chain(root, root > T(0) ? T(0.5) / root : T(0));
}
template <class T, int N>
Dual<T, N> positive_sqrt(const Dual<T, N>& a) {
  return sqrt(a);
}
template <class T, int N>
Dual<T, N> inverse(const Dual<T, N>& a) {
  const T f = T(1) / a.value;
  return a.chain(f, -f * f);
}
template <class T, int N>
Dual<T, N> coarse_inverse(const Dual<T, N>& a) {
  return inverse(a);
}
template <class T, int N>
Dual<T, N> inverse_sqrt(const Dual<T, N>& a) {
  const T f = T(1) / std::sqrt(a.value);
  return a.chain(f, T(-0.5) * f * f * f);
}
template <class T, int N>
T lane(const Dual<T, N>& a, int) {
  return a.value;
}
template <class T, int N>
void set_lane(Dual<T, N>& a, int, T value) {
  a = Dual<T, N>(value);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
