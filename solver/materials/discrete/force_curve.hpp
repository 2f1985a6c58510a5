// Piecewise linear force over elongation or velocity, from *DEFINE_CURVE, for springs and dampers.
#pragma once

#include <algorithm>
#include <cstddef>

namespace crumple::materials {

/// A view of a curve that is stored elsewhere; without points there is no curve.
struct ForceCurve {
  const double *x = nullptr, *y = nullptr;
  int n = 0;

  /// Linear between points. Beyond the ends linear if `straight`, else constant.
  double operator()(double at, bool straight) const {
    const auto above = std::upper_bound(x, x + n, at) - x;
    const auto k = std::clamp<std::ptrdiff_t>(above, 1, n - 1);
    if (!straight) at = std::clamp(at, x[0], x[n - 1]);
    return y[k - 1] + (y[k] - y[k - 1]) * ((at - x[k - 1]) / (x[k] - x[k - 1]));
  }

  /// Calls `visit(gap, slope)` for each linear piece. `gap` is its distance from the abscissa `at`, 0 within
  /// it. The first and the last piece continue beyond the ends.
  template <class Visit>
  void visit_slopes(double at, Visit visit) const {
    for (int k = 1; k < n; ++k) {
      const double below = k > 1 ? x[k - 1] - at : -1, above = k < n - 1 ? at - x[k] : -1;
      visit(std::max({below, above, 0.0}), (y[k] - y[k - 1]) / (x[k] - x[k - 1]));
    }
  }

  /// The largest slope of all pieces, at least 0.
  double steepest() const {
    double most = 0.0;
    visit_slopes(0.0, [&](double, double slope) { most = std::max(most, slope); });
    return most;
  }
};

}  // namespace crumple::materials
