// Cardan angles between bodies, and the moments that follow from them.
#include "constraints/joint_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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

}  // namespace

/// Curve, spring and friction in series, and stops, as the manual describes them for each angle.
double JointStiffnesses::elastic(const model::JointMoment& input, double angle, double turned,
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

void JointStiffnesses::add_moments(RigidBodies& bodies) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const model::JointStiffness& input = model_->joint_stiffnesses[k];
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
    for (std::size_t i = 0; i < 3; ++i) {
      // Angles go on beyond half a turn.
      const double turned =
          memory.started ? std::remainder(c.angle[i] - s.angle[i], 2 * std::numbers::pi) : 0.0;
      s.angle[i] = memory.started ? s.angle[i] + turned : c.angle[i];
      s.rate[i] = dot(b.w - a.w, c.dual[i]);
      s.elastic[i] = elastic(input.moments[i], s.angle[i], turned, memory.friction[i]);
      const LocalId curve = input.moments[i].damping_curve;
      s.damping[i] = curve == model::kNone ? 0.0 : model_->curves[curve](s.rate[i]);
      memory.moment -= (s.elastic[i] + s.damping[i]) * c.dual[i];
    }
    memory.started = true;
    bodies.add_load(input.bodies[0], {}, -memory.moment);
    bodies.add_load(input.bodies[1], {}, memory.moment);
  }
}

void JointStiffnesses::count_work(const RigidBodies& bodies, double dt_v, bool first) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const model::JointStiffness& input = model_->joint_stiffnesses[k];
    const Kick &a = bodies.kick(input.bodies[0]), &b = bodies.kick(input.bodies[1]);
    Memory& memory = memory_[k];
    memory.work.begin_step(first);
    memory.work.add(dt_v * dot(memory.moment, b.w_before - a.w_before),
                    dt_v * dot(memory.moment, b.w_after - a.w_after));
    states_[k].energy = -memory.work.done().value();
  }
}

double JointStiffnesses::energy() const {
  double sum = 0.0;
  for (const State& s : states_) sum += s.energy;
  return sum;
}

}  // namespace crumple::constraints
