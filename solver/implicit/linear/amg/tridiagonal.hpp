// The largest eigenvalue of a symmetric tridiagonal matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace crumple::implicit::linear::amg {

/// By bisection with Sturm's sequence (Golub and Van Loan 2013, 8.4.1).
/// @param diagonal (n), not empty
/// @param beside (n - 1)
inline double largest_of_tridiagonal(std::span<const double> diagonal, std::span<const double> beside) {
  const std::size_t n = diagonal.size();
  const auto size_beside = [&](std::size_t i) { return i + 1 < n ? std::abs(beside[i]) : 0.0; };
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < n; ++i) {
    low = std::max(low, diagonal[i]);
    high = std::max(high, diagonal[i] + size_beside(i) + (i > 0 ? size_beside(i - 1) : 0.0));
  }
  const auto all_below = [&](double x) {
    double pivot = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const double b = i > 0 ? beside[i - 1] : 0.0;
      pivot = diagonal[i] - x - (i > 0 ? b * b / pivot : 0.0);
      if (!(pivot < 0)) return false;
    }
    return true;
  };
  for (int step = 0; step < 60 && high - low > 1e-12 * std::abs(high); ++step) {
    const double middle = 0.5 * (low + high);
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace crumple::implicit::linear::amg
