// A number with its slope along one line: forward differentiation (e.g. Griewank and Walther 2008, chapter 3)
// of a formula that is long in closed form, on any vector type.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

template <class V>
struct Sloped {
  V at, slope;

  friend Sloped operator+(const Sloped& a, const Sloped& b) { return {a.at + b.at, a.slope + b.slope}; }
  friend Sloped operator-(const Sloped& a, const Sloped& b) { return {a.at - b.at, a.slope - b.slope}; }
  friend Sloped operator*(const Sloped& a, const Sloped& b) {
    return {a.at * b.at, a.at * b.slope + a.slope * b.at};
  }
  friend Sloped operator/(const Sloped& a, const Sloped& b) {
    const V quotient = a.at / b.at;
    return {quotient, (a.slope - quotient * b.slope) / b.at};
  }
};

/// A number that is the same along the line.
template <class V>
Sloped<V> constant_along(V at) {
  return {at, V(0)};
}

/// The root; 0, with the slope 0, of what is not positive.
template <class V>
Sloped<V> root_of(const Sloped<V>& a) {
  const simd::mask_t<V> positive = a.at > V(0);
  const V root = simd::sqrt(simd::select(positive, a.at, V(1)));
  return {simd::select(positive, root, V(0)), simd::select(positive, V(0.5) * a.slope / root, V(0))};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
