// From IMFLAG, its curve, springback and relaxation to phases.
#include "phases/schedule.hpp"

#include <algorithm>

namespace crumple::phases {

namespace {

/// By a curve of 1 (implicit) and 0 (explicit): the scheme changes at the last point before the ordinate
/// does, so that a steep piece of the curve belongs to what comes after it.
std::vector<Phase> by_curve(const model::Curve& curve, double end) {
  std::vector<Phase> phases{{curve.y.front() != 0.0, 0.0, end}};
  for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
    const bool implicit = curve.y[i + 1] != 0.0;
    if (implicit == phases.back().implicit || curve.x[i] >= end) continue;
    if (curve.x[i] > phases.back().begin) {
      phases.back().end = curve.x[i];
      phases.push_back({implicit, curve.x[i], end});
    } else {
      phases.back().implicit = implicit;
    }
  }
  return phases;
}

std::vector<Phase> of_run(const model::Model& model) {
  const model::Control& control = model.control;
  const model::Implicit& implicit = control.implicit;
  const double end = control.end_time;
  if (implicit.switching.curve != model::kNone)
    return by_curve(model.curves[at(implicit.switching.curve)], end);
  if (implicit.whole || implicit.switching.where_it_fails) return {{true, 0.0, end}};
  std::vector<Phase> phases{{false, 0.0, end}};
  if (!implicit.springback.active) return phases;
  const double length = implicit.springback.as_long ? end : implicit.springback.steps * implicit.steps.first;
  phases.push_back({.implicit = true, .begin = end, .end = end + length, .springback = true});
  return phases;
}

}  // namespace

std::vector<Phase> schedule(const model::Model& model) {
  std::vector<Phase> phases = of_run(model);
  const model::Relaxation& relaxation = model.control.relaxation;
  if (relaxation.implicit)
    phases.insert(phases.begin(), {.implicit = true, .end = relaxation.end_time, .before_run = true});
  for (Phase& phase : phases) phase.last = &phase == &phases.back();
  return phases;
}

}  // namespace crumple::phases
