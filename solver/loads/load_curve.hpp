// The value of a curve over time for loads and motions: zero beyond its ends, and when it does not act.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/model.hpp"

namespace crumple::loads {

/// Ordinate at time `t`, 0 before the first and after the last point.
///
/// Loads and motions are not extrapolated (LS-DYNA manual, *DEFINE_CURVE, remarks), unlike curves of
/// materials. The last point still counts if rounding of the summed time just exceeds it. Along a path of
/// equilibrium (arc lengths) the first and the last segment go on.
inline double value_within(const model::Curve& c, double t) {
  if (c.x.empty()) return 0.0;
  if (c.goes_on && c.x.size() > 1 && (t < c.x.front() || t > c.x.back())) {
    const std::size_t last = t < c.x.front() ? 1 : c.x.size() - 1;
    return c.y[last] + (t - c.x[last]) * (c.y[last] - c.y[last - 1]) / (c.x[last] - c.x[last - 1]);
  }
  const double rounding = 1e-9 * (c.x.back() - c.x.front());
  if (t < c.x.front() - rounding || t > c.x.back() + rounding) return 0.0;
  return c(t);
}

/// Value of a load's or motion's curve; 0 without a curve (kNone), or if SIDR excludes it in the present
/// stage.
inline double load_value(const model::Model& model, LocalId curve, double t, model::Stage stage) {
  if (curve == model::kNone || !model.curves[curve].acts(stage)) return 0.0;
  return value_within(model.curves[curve], t);
}

/// The same for a load that may have another curve for dynamic relaxation (LCIDDR).
inline double load_value(const model::Model& model, LocalId curve, LocalId relaxation_curve, double t,
                         model::Stage stage) {
  if (stage == model::Stage::relaxation && relaxation_curve != model::kNone)
    return value_within(model.curves[relaxation_curve], t);
  return load_value(model, curve, t, stage);
}

/// Largest magnitude of a load's curve times its scale.
inline double largest_load(const model::Model& model, LocalId curve, double scale) {
  if (curve == model::kNone) return std::abs(scale);
  double largest = 0.0;
  for (const double y : model.curves[curve].y) largest = std::max(largest, std::abs(y));
  return largest * std::abs(scale);
}

}  // namespace crumple::loads
