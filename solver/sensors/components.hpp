// Components and invariants of stresses and strains that sensors measure.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sensors/network.hpp"

namespace crumple::sensors {

/// Principal values of a symmetric tensor (xx, yy, zz, xy, yz, zx), the largest first, by its invariants
/// (Smith 1961, Communications of the ACM 4, 168).
inline std::array<double, 3> principal_values(const std::array<double, 6>& t) {
  const double mean = (t[0] + t[1] + t[2]) / 3.0;
  const double x = t[0] - mean, y = t[1] - mean, z = t[2] - mean;
  const double p = std::sqrt((x * x + y * y + z * z + 2.0 * (t[3] * t[3] + t[4] * t[4] + t[5] * t[5])) / 6.0);
  if (p == 0.0) return {mean, mean, mean};
  const double det =
      x * (y * z - t[4] * t[4]) - t[3] * (t[3] * z - t[4] * t[5]) + t[5] * (t[3] * t[4] - y * t[5]);
  const double angle = std::acos(std::clamp(0.5 * det / (p * p * p), -1.0, 1.0)) / 3.0;
  const double first = mean + 2.0 * p * std::cos(angle);
  const double last = mean + 2.0 * p * std::cos(angle + 2.0 * std::numbers::pi / 3.0);
  return {first, 3.0 * mean - first - last, last};
}

/// @param t xx, yy, zz, xy, yz, zx; shears of strains are the tensor's
inline double component_of(Component component, const std::array<double, 6>& t) {
  switch (component) {
    case Component::mean:
      return (t[0] + t[1] + t[2]) / 3.0;
    case Component::von_mises: {
      const double a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
      return std::sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]));
    }
    case Component::greatest_shear: {
      const std::array<double, 3> principal = principal_values(t);
      return 0.5 * (principal[0] - principal[2]);
    }
    case Component::principal_1:
    case Component::principal_2:
    case Component::principal_3:
      return principal_values(
          t)[static_cast<std::size_t>(component) - static_cast<std::size_t>(Component::principal_1)];
    default:
      return t[static_cast<std::size_t>(component)];
  }
}

}  // namespace crumple::sensors
