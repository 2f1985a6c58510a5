// A number that counts what is done with it, to count a kernel's operations by running it.
//
// Must be included before the kernels' headers, so that its functions are there when templates are read.
#pragma once

#include <cmath>
#include <cstdint>

#include "simd/math.hpp"

namespace crumple::bench {

/// Operations on numbers. A fused multiply-add is a sum and a product.
struct Work {
  std::int64_t sums = 0, products = 0, divisions = 0, roots = 0;
  std::int64_t choices = 0;  ///< comparisons, select, min, max, abs, signs

  std::int64_t flops() const { return sums + products + divisions + roots; }
};

}  // namespace crumple::bench

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

struct Counted {
  static inline bench::Work work;
  double value;

  Counted() = default;
  explicit constexpr Counted(double v) : value(v) {}
  explicit operator double() const { return value; }
  explicit operator std::int32_t() const { return static_cast<std::int32_t>(value); }

  friend Counted operator+(Counted a, Counted b) { return ++work.sums, Counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return ++work.sums, Counted(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return ++work.products, Counted(a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return ++work.divisions, Counted(a.value / b.value); }
  friend Counted operator-(Counted a) { return ++work.choices, Counted(-a.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend bool operator<(Counted a, Counted b) { return ++work.choices, a.value < b.value; }
  friend bool operator<=(Counted a, Counted b) { return ++work.choices, a.value <= b.value; }
  friend bool operator>(Counted a, Counted b) { return ++work.choices, a.value > b.value; }
  friend bool operator>=(Counted a, Counted b) { return ++work.choices, a.value >= b.value; }
  friend bool operator==(Counted a, Counted b) { return ++work.choices, a.value == b.value; }
  friend bool operator!=(Counted a, Counted b) { return ++work.choices, a.value != b.value; }
  friend bool operator!=(Counted a, int b) { return ++work.choices, a.value != b; }
};

inline Counted select(bool m, Counted a, Counted b) { return ++Counted::work.choices, m ? a : b; }
inline Counted min(Counted a, Counted b) {
  return ++Counted::work.choices, Counted(std::fmin(a.value, b.value));
}
inline Counted max(Counted a, Counted b) {
  return ++Counted::work.choices, Counted(std::fmax(a.value, b.value));
}
inline Counted abs(Counted a) { return ++Counted::work.choices, Counted(std::abs(a.value)); }
inline Counted sqrt(Counted a) { return ++Counted::work.roots, Counted(std::sqrt(a.value)); }
// Inverses and roots by Newton's method count as what they are in double on AVX-512: two iterations.
inline Counted newton(double value, int sums, int products) {
  Counted::work.sums += sums, Counted::work.products += products;
  return Counted(value);
}
inline Counted inverse(Counted a) { return newton(1 / a.value, 4, 4); }
inline Counted coarse_inverse(Counted a) { return newton(1 / a.value, 2, 2); }
inline Counted inverse_sqrt(Counted a) { return newton(1 / std::sqrt(a.value), 4, 8); }
inline Counted positive_sqrt(Counted a) { return newton(std::sqrt(a.value), 4, 9); }
inline Counted lane(Counted a, int) { return a; }
// Not in the laws that are counted; there for the others to compile.
inline Counted exp(Counted a) { return Counted(std::exp(a.value)); }
inline Counted log(Counted a) { return Counted(std::log(a.value)); }
inline Counted pow(Counted a, Counted b) { return Counted(std::pow(a.value, b.value)); }

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
