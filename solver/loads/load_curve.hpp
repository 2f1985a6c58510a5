// The value of a curve against time as loads and motions read it: zero off its ends.
#pragma once

#include "model/model.hpp"

namespace crumple::loads {

/// Ordinate at time `t`, 0 before the first and after the last point and without a curve (kNone).
///
/// Loads and motions are not extrapolated (LS-DYNA manual, *DEFINE_CURVE, remarks), unlike curves of
/// materials. A last point that rounding of the summed time just misses still counts.
inline double load_value(const model::Model& model, LocalId curve, double t) {
  if (curve == model::kNone) return 0.0;
  const model::Curve& c = model.curves[curve];
  if (c.x.empty()) return 0.0;
  const double rounding = 1e-9 * (c.x.back() - c.x.front());
  if (t < c.x.front() - rounding || t > c.x.back() + rounding) return 0.0;
  return c(t);
}

}  // namespace crumple::loads
