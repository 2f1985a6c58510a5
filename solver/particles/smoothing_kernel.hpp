// The cubic B-spline of Monaghan and Lattanzio (1985), "A refined particle method for astrophysical
// problems", in three dimensions: zero beyond 2 h, with the integral 1.
#pragma once

#include <cmath>
#include <numbers>

namespace crumple::particles {

inline constexpr double kSupport = 2.0;  ///< radius over h

/// W(r, h).
inline double smoothing_kernel(double r, double h) {
  const double q = r / h, unit = std::numbers::inv_pi / (h * h * h);
  if (q >= 2.0) return 0.0;
  if (q >= 1.0) return unit * 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q);
  return unit * (1.0 - 1.5 * q * q + 0.75 * q * q * q);
}

/// (dW / dr) / r, so that the gradient at a particle is this times its way from the other one. Not positive.
inline double kernel_slope(double r, double h) {
  const double q = r / h, h2 = h * h, unit = std::numbers::inv_pi / (h2 * h2 * h);
  if (q >= 2.0) return 0.0;
  if (q >= 1.0) return -0.75 * unit * (2.0 - q) * (2.0 - q) / q;
  return unit * (2.25 * q - 3.0);
}

/// The integral of |grad W| over space, times h.
inline constexpr double kGradientIntegral = 2.8;

}  // namespace crumple::particles
