// What bounds leave of a body's velocity: it arrives at a bound at the end of a step, and not beyond.
#include "constraints/stoppers/stopper.hpp"

#include <algorithm>

#include "model/model.hpp"

namespace crumple::constraints {

double stopped(const Stopper& s, const model::Model& model, double velocity, double position, double start,
               double time, double dt, model::Stage stage) {
  if (time < s.birth || time >= s.death) return velocity;
  const auto at_end = [&](LocalId curve, double otherwise) {
    if (curve == model::kNone) return otherwise;
    const model::Curve& c = model.curves[static_cast<std::size_t>(curve)];
    return c.acts(stage) ? c(time + dt) : otherwise;
  };
  constexpr double kFar = 1e300;
  if (const double fastest = at_end(s.fastest, kFar); fastest < kFar)
    velocity = std::clamp(velocity, -std::abs(fastest), std::abs(fastest));
  const double moved = position - start;
  const double upper = at_end(s.upper, kFar), lower = at_end(s.lower, -kFar);
  if (upper < kFar)
    velocity = std::min(velocity, (upper - (s.upper_of_displacement ? moved : position)) / dt);
  if (lower > -kFar)
    velocity = std::max(velocity, (lower - (s.lower_of_displacement ? moved : position)) / dt);
  return velocity;
}

}  // namespace crumple::constraints
