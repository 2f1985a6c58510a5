// A number with its derivatives, to prove that the laws can be differentiated by running them.
//
// Must be included before the laws' headers, so that its functions are there when templates are read.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "simd/math.hpp"

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

struct Dual {
  static constexpr int n = 6;
  double value = 0;
  std::array<double, n> d{};

  Dual() = default;
  explicit Dual(double v) : value(v) {}
  explicit operator std::int32_t() const { return static_cast<std::int32_t>(value); }

  Dual chain(double f, double slope) const {
    Dual r(f);
    for (int i = 0; i < n; ++i) r.d[i] = slope * d[i];
    return r;
  }
  static Dual combine(double f, const Dual& a, double by_a, const Dual& b, double by_b) {
    Dual r(f);
    for (int i = 0; i < n; ++i) r.d[i] = by_a * a.d[i] + by_b * b.d[i];
    return r;
  }
  friend Dual operator+(const Dual& a, const Dual& b) { return combine(a.value + b.value, a, 1, b, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combine(a.value - b.value, a, 1, b, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return combine(a.value * b.value, a, b.value, b, a.value);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return combine(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
  }
  friend Dual operator-(const Dual& a) { return a.chain(-a.value, -1); }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

inline Dual select(bool m, const Dual& a, const Dual& b) { return m ? a : b; }
inline Dual min(const Dual& a, const Dual& b) { return a < b ? a : b; }
inline Dual max(const Dual& a, const Dual& b) { return a > b ? a : b; }
inline Dual abs(const Dual& a) { return a.value < 0 ? -a : a; }
inline Dual inverse(const Dual& a) { return Dual(1) / a; }
inline Dual coarse_inverse(const Dual& a) { return Dual(1) / a; }
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value);
  return a.chain(root, 0.5 / root);
}
inline Dual inverse_sqrt(const Dual& a) { return Dual(1) / sqrt(a); }
inline Dual log(const Dual& a) { return a.chain(std::log(a.value), 1 / a.value); }
inline Dual pow(const Dual& a, const Dual& b) {
  const double f = std::pow(a.value, b.value);
  return a.chain(f, a.value > 0 ? b.value * f / a.value : 0);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
