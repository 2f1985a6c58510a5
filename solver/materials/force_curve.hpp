// Force over elongation or velocity, point by point, as springs and dampers take it from *DEFINE_CURVE.
#pragma once

#include <algorithm>
#include <cstddef>

namespace crumple::materials {

/// A curve that belongs to somebody else; no points: none.
struct ForceCurve {
  const double *x = nullptr, *y = nullptr;
  int n = 0;

  /// Between points straight, and beyond the ends `straight` on or constant.
  double operator()(double at, bool straight) const {
    const auto above = std::upper_bound(x, x + n, at) - x;
    const auto k = std::clamp<std::ptrdiff_t>(above, 1, n - 1);
    if (!straight) at = std::clamp(at, x[0], x[n - 1]);
    return y[k - 1] + (y[k] - y[k - 1]) * ((at - x[k - 1]) / (x[k] - x[k - 1]));
  }
};

}  // namespace crumple::materials
