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

  /// Calls `visit(gap, slope)` for each straight piece: how far it is from the abscissa `at`, 0 within it.
  /// The first and the last go on beyond the ends.
  template <class Visit>
  void visit_slopes(double at, Visit visit) const {
    for (int k = 1; k < n; ++k) {
      const double below = k > 1 ? x[k - 1] - at : -1, above = k < n - 1 ? at - x[k] : -1;
      visit(std::max({below, above, 0.0}), (y[k] - y[k - 1]) / (x[k] - x[k - 1]));
    }
  }

  /// The largest slope anywhere, not less than 0.
  double steepest() const {
    double most = 0.0;
    visit_slopes(0.0, [&](double, double slope) { most = std::max(most, slope); });
    return most;
  }
};

}  // namespace crumple::materials
