// Cardan angles between bodies, and the moments that follow from them.
#include "constraints/joint_stiffness/joint_stiffnesses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/no_limit.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

/// Directions of the three rates, and of the moments dual to them.
struct Cardan {
  std::array<double, 3> angle;
  std::array<Vec3, 3> rate, dual;
};

Cardan cardan(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  Cardan c;
  const double sine = dot(a[0], b[2]), square = 1.0 - sine * sine;
  c.angle = {std::atan2(-dot(a[1], b[2]), dot(a[2], b[2])), std::asin(std::clamp(sine, -1.0, 1.0)),
             std::atan2(-dot(a[0], b[1]), dot(a[0], b[0]))};
  c.rate = {a[0], (1.0 / std::sqrt(square)) * cross(b[2], a[0]), b[2]};
  c.dual = {(1.0 / square) * (a[0] - sine * b[2]), c.rate[1], (1.0 / square) * (b[2] - sine * a[0])};
  return c;
}

/// The largest slope of a curve between `from` and `to`, not less than 0; it is constant beyond its ends.
double steepest(const model::Curve& curve, double from, double to) {
  double most = 0.0;
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (curve.x[k] >= from && curve.x[k - 1] <= to)
      most = std::max(most, (curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1]));
  return most;
}

}  // namespace

/// Curve, spring and friction in series, and stops, as the manual describes them, for one angle.
double JointStiffnesses::elastic(const JointMoment& input, double angle, double turned,
                                 double& friction) const {
  double moment = input.curve == model::kNone ? 0.0 : model_->curves[input.curve](angle);
  const double limit =
      input.friction_curve == model::kNone ? input.friction : model_->curves[input.friction_curve](angle);
  if (limit > 0.0) {
    friction = std::clamp(friction + input.stiffness * turned, -limit, limit);
    moment += friction;
  }
  if (input.upper_stop != 0.0) moment += input.stiffness * std::max(0.0, angle - input.upper_stop);
  if (input.lower_stop != 0.0) moment += input.stiffness * std::min(0.0, angle - input.lower_stop);
  return moment;
}

/// Largest slope of `elastic` within `reach` of an angle; sticking friction has the stiffness of the stops.
double JointStiffnesses::stiffness(const JointMoment& input, double angle, double reach) const {
  const double curve =
      input.curve == model::kNone ? 0.0 : steepest(model_->curves[input.curve], angle - reach, angle + reach);
  const bool rubs = input.friction > 0.0 || input.friction_curve != model::kNone;
  const bool stops = input.upper_stop != 0.0 || input.lower_stop != 0.0;
  return curve + (rubs || stops ? input.stiffness : 0.0);
}

double JointStiffnesses::stable_step(const RigidBodies& bodies) const {
  if (memory_.empty()) return kNoLimit;  // called every cycle, also with thousands of bodies and no stiffness
  std::vector<double> stiffness(static_cast<std::size_t>(bodies.size()), 0.0), damping = stiffness;
  const auto ends = [&](std::size_t k) { return (*inputs_)[k].bodies; };
  for (std::size_t k = 0; k < memory_.size(); ++k)
    for (const LocalId b : ends(k)) {
      stiffness[static_cast<std::size_t>(b)] += memory_[k].stiffness;
      damping[static_cast<std::size_t>(b)] += memory_[k].damping;
    }
  double step = kNoLimit;
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    double s = 0.0, d = 0.0;
    for (const LocalId b : ends(k)) {
      const double mobility = bodies.angular_mobility(b);
      s += mobility * stiffness[static_cast<std::size_t>(b)];
      d += mobility * damping[static_cast<std::size_t>(b)];
    }
    const double slowest = d + std::sqrt(d * d + 4.0 * s);
    if (slowest > 0.0) step = std::min(step, 4.0 / slowest);
  }
  return step;
}

void JointStiffnesses::find_moments(const RigidBodies& bodies) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const JointStiffness& input = (*inputs_)[k];
    State& s = states_[k];
    Memory& memory = memory_[k];
    const BodyMotion a = bodies.motion(input.bodies[0]), b = bodies.motion(input.bodies[1]);
    std::array<Vec3, 3> of_a, of_b;
    for (std::size_t i = 0; i < 3; ++i) {
      of_a[i] = a.turn * input.axes[0][i];
      of_b[i] = b.turn * input.axes[1][i];
    }
    const Cardan c = cardan(of_a, of_b);
    memory.moment = {};
    memory.stiffness = memory.damping = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      // Angles are continuous beyond half a turn.
      const double turned =
          memory.started ? std::remainder(c.angle[i] - s.angle[i], 2 * std::numbers::pi) : 0.0;
      s.angle[i] = memory.started ? s.angle[i] + turned : c.angle[i];
      s.rate[i] = dot(b.w - a.w, c.dual[i]);
      s.elastic[i] = elastic(input.moments[i], s.angle[i], turned, memory.friction[i]);
      const LocalId curve = input.moments[i].damping_curve;
      s.damping[i] = curve == model::kNone ? 0.0 : model_->curves[curve](s.rate[i]);
      memory.moment -= (s.elastic[i] + s.damping[i]) * c.dual[i];
      // A rotation along the dual direction changes the angle by |dual|, and the moment is along it, too.
      const double both = dot(c.dual[i], c.dual[i]);
      memory.stiffness += both * stiffness(input.moments[i], s.angle[i], 2.0 * std::abs(turned));
      if (curve != model::kNone)
        memory.damping += both * steepest(model_->curves[curve], -HUGE_VAL, HUGE_VAL);
    }
    memory.started = true;
  }
}

void JointStiffnesses::add_moments(RigidBodies& bodies) {
  find_moments(bodies);
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    const JointStiffness& input = (*inputs_)[k];
    bodies.add_load(input.bodies[0], {}, -memory_[k].moment);
    bodies.add_load(input.bodies[1], {}, memory_[k].moment);
  }
}

void JointStiffnesses::count_moment_work(const RigidBodies& bodies, double dt_v, bool first) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const JointStiffness& input = (*inputs_)[k];
    const Kick &a = bodies.kick(input.bodies[0]), &b = bodies.kick(input.bodies[1]);
    Memory& memory = memory_[k];
    memory.work.begin_step(first);
    memory.work.add(dt_v * dot(memory.moment, b.w_before - a.w_before),
                    dt_v * dot(memory.moment, b.w_after - a.w_after));
    states_[k].energy = energy_before_[k] - memory.work.done().value();
  }
}

void JointStiffnesses::begin_with(std::span<const JointAngles> angles) {
  for (std::size_t k = 0; k < angles.size(); ++k) {
    states_[k].angle = angles[k].angle;
    states_[k].energy = energy_before_[k] = angles[k].energy;
    memory_[k].started = true;
    memory_[k].friction = angles[k].friction;
    memory_[k].work = {};
  }
}

std::vector<JointAngles> JointStiffnesses::angles() const {
  std::vector<JointAngles> all;
  for (std::size_t k = 0; k < states_.size(); ++k)
    all.push_back({states_[k].angle, memory_[k].friction, states_[k].energy});
  return all;
}

double JointStiffnesses::energy() const {
  double sum = 0.0;
  for (const State& s : states_) sum += s.energy;
  return sum;
}

void JointStiffnesses::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  const auto here = archive.module("joint stiffness");
  const auto keys = state::numbered(states_.size());
  archive.structs("state", Rows::equal(Of::entity, keys), std::span(states_));
  archive.structs("memory", Rows::equal(Of::entity, keys), std::span(memory_));
  if (model_->control.has_phases())
    archive.field("energy before", Rows::equal(Of::entity, keys), std::span(energy_before_));
}

std::unique_ptr<modules::Module> JointStiffnesses::start(const modules::Start& start) {
  if (start.model.features.of<JointStiffness>().empty()) return nullptr;
  return std::make_unique<JointStiffnesses>(start.model);
}

}  // namespace crumple::constraints
