// The temperature of a mixture from its energy.
#include "loads/airbag/gas_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crumple::loads {

namespace {
constexpr int kMostIterations = 50;
constexpr double kSameTemperature = 1e-14;
}  // namespace

double Mixture::temperature(double u) const {
  const double cv = heat - constant;
  // the root without the curvature, exact if there is none
  double t = 2 * u / (cv + std::sqrt(std::max(0.0, cv * cv + 2 * slope * u)));
  bool found = curvature == 0 && slope >= 0;
  for (int k = 0; k < kMostIterations && !found; ++k) {
    const double step = (energy(t) - u) / (capacity(t) - constant);
    t -= step;
    found = std::abs(step) <= kSameTemperature * std::abs(t);
  }
  return found && capacity(t) - constant > 0 ? t : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace crumple::loads
