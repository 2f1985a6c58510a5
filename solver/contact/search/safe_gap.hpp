// The gap of a pair as lists of neighbours keep it: a float that is never too large.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace crumple::contact {

/// The greatest float below `f`, as nextafter gives it, which is a call of a library for every pair of a
/// sort.
inline float next_below(float f) {
  if (!(f > -std::numeric_limits<float>::infinity())) return f;
  if (f == 0.0F) return -std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<std::uint32_t>(f);
  return std::bit_cast<float>(f > 0.0F ? bits - 1 : bits + 1);
}

/// A float not above the gap, with room for the rounding of the distance.
inline float safe_gap(double gap, double scale) {
  const double safe = gap - 1e-6 * std::abs(gap) - 1e-9 * scale;
  return next_below(static_cast<float>(safe));
}

}  // namespace crumple::contact
