// The integral of a coefficient of expansion, which is quadratic between points.
#include "materials/expansion.hpp"

#include <algorithm>

namespace crumple::materials {

/// The integral from the first point.
double Expansion::from_first(double to) const {
  if (to <= temperature.front()) return coefficient.front() * (to - temperature.front());
  double sum = 0;
  for (std::size_t k = 1; k < temperature.size(); ++k) {
    const double begin = temperature[k - 1], length = temperature[k] - begin;
    const double part = std::min(to - begin, length);
    const double slope = (coefficient[k] - coefficient[k - 1]) / length;
    sum += part * (coefficient[k - 1] + 0.5 * slope * part);
    if (to <= temperature[k]) return sum;
  }
  return sum + coefficient.back() * (to - temperature.back());
}

double Expansion::strain(double from, double to) const { return from_first(to) - from_first(from); }

}  // namespace crumple::materials
