// The gap of a pair as lists of neighbours keep it: a float that is never too large.
#pragma once

#include <cmath>
#include <limits>

namespace crumple::contact {

/// A float not above the gap, with room for the rounding of the distance.
inline float safe_gap(double gap, double scale) {
  const double safe = gap - 1e-6 * std::abs(gap) - 1e-9 * scale;
  return std::nextafter(static_cast<float>(safe), -std::numeric_limits<float>::infinity());
}

}  // namespace crumple::contact
