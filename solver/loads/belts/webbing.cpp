// Force of a belt element.
#include "loads/belts/webbing.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::loads {

double beyond(const model::Curve& curve, double x) {
  const std::size_t n = curve.x.size();
  if (n < 2 || x <= curve.x.back()) return curve(x);
  const double slope = (curve.y[n - 1] - curve.y[n - 2]) / (curve.x[n - 1] - curve.x[n - 2]);
  return curve.y[n - 1] + slope * (x - curve.x[n - 1]);
}

double where(const model::Curve& curve, double value) {
  const std::size_t n = curve.x.size();
  if (curve.y.front() >= value) return curve.x.front();
  for (std::size_t k = 1; k < n; ++k) {
    if (curve.y[k] < value && k + 1 < n) continue;
    const double rise = curve.y[k] - curve.y[k - 1];
    if (!(rise > 0.0)) return curve.x[k];
    return curve.x[k - 1] + (value - curve.y[k - 1]) / rise * (curve.x[k] - curve.x[k - 1]);
  }
  return curve.x.back();
}

double steepest(const model::Curve& curve) {
  double most = 0.0;
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    most = std::max(most, (curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1]));
  return most;
}

double loaded(const model::Curve& curve, double strain) {
  return strain <= 0.0 ? 0.0 : std::max(0.0, beyond(curve, strain));
}

double hysteretic(const model::Curve& loading, const model::Curve& unloading, double strain, double& peak) {
  if (strain >= peak || &loading == &unloading) {
    peak = std::max(peak, strain);
    return loaded(loading, strain);
  }
  if (peak <= 0.0) return 0.0;
  const double shift = peak - where(unloading, loaded(loading, peak));
  return strain <= shift ? 0.0
                         : std::min(loaded(loading, peak), std::max(0.0, beyond(unloading, strain - shift)));
}

double belt_damping(double force, double mass, double rate, double dt) {
  if (!(dt > 0.0)) return 0.0;
  return std::clamp(0.1 * mass * rate / dt, -0.1 * force, 0.1 * force);
}

}  // namespace crumple::loads
