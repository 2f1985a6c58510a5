// Angles and displacements between bodies, and the moments and forces that follow from them.
#include "constraints/joint_stiffness/joint_stiffnesses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/no_limit.hpp"
#include "modules/modules.hpp"
#include "sensors/sensors.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;

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

double JointStiffnesses::curve_or(LocalId curve, double at, double none) const {
  return curve == model::kNone ? none : model_->curves[curve](at);
}

double JointStiffnesses::limit_of_friction(const JointMoment& input, double angle) const {
  return curve_or(input.friction_curve, angle, input.friction);
}

double JointStiffnesses::at_stops(const JointMoment& input, double angle) const {
  double moment = 0.0;
  if (input.upper_stop != 0.0) moment += input.stiffness * std::max(0.0, angle - input.upper_stop);
  if (input.lower_stop != 0.0) moment += input.stiffness * std::min(0.0, angle - input.lower_stop);
  return moment;
}

/// Curve, spring and friction in series, and stops, as the manual describes them, for one angle.
double JointStiffnesses::elastic(const JointMoment& input, double angle, double turned,
                                 double& friction) const {
  double moment = curve_or(input.curve, angle, 0.0);
  const double limit = limit_of_friction(input, angle);
  if (limit > 0.0) {
    friction = std::clamp(friction + input.stiffness * turned, -limit, limit);
    moment += friction;
  }
  return moment + at_stops(input, angle);
}

/// Largest slope of `elastic` within `reach` of an angle; sticking friction has the stiffness of the stops.
double JointStiffnesses::stiffness(const JointMoment& input, double angle, double reach) const {
  const double curve =
      input.curve == model::kNone ? 0.0 : steepest(model_->curves[input.curve], angle - reach, angle + reach);
  const bool rubs = input.friction > 0.0 || input.friction_curve != model::kNone;
  const bool stops = input.upper_stop != 0.0 || input.lower_stop != 0.0;
  return curve + (rubs || stops ? input.stiffness : 0.0);
}

/// The largest eigenvalue of springs between bodies is at most the largest sum, over the two bodies of a
/// spring, of what all springs there add: as of a graph (Anderson and Morley 1985, Eigenvalues of the
/// Laplacian of a graph).
double JointStiffnesses::stable_step(const RigidBodies& bodies) const {
  if (memory_.empty()) return kNoLimit;  // called every cycle, also with thousands of bodies and no stiffness
  // Of moments the sum of slopes, of forces that of slopes times mobilities.
  std::vector<double> stiffness(static_cast<std::size_t>(bodies.size()), 0.0),
      damping = stiffness, of_forces = stiffness, of_dampers = stiffness;
  for (std::size_t k = 0; k < memory_.size(); ++k)
    for (std::size_t side = 0; side < 2; ++side) {
      const auto b = static_cast<std::size_t>((*inputs_)[k].bodies[side]);
      const bool force = (*inputs_)[k].kind == StiffnessKind::translational;
      const double factor = force ? memory_[k].mobility[side] : 1.0;
      (force ? of_forces : stiffness)[b] += factor * memory_[k].stiffness;
      (force ? of_dampers : damping)[b] += factor * memory_[k].damping;
    }
  double step = kNoLimit;
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    double s = 0.0, d = 0.0;
    for (const LocalId body : (*inputs_)[k].bodies) {
      const auto b = static_cast<std::size_t>(body);
      const double mobility = bodies.angular_mobility(body);
      s += mobility * stiffness[b] + of_forces[b];
      d += mobility * damping[b] + of_dampers[b];
    }
    const double slowest = d + std::sqrt(d * d + 4.0 * s);
    if (slowest > 0.0) step = std::min(step, 4.0 / slowest);
  }
  return step;
}

JointStiffnesses::Pose JointStiffnesses::pose(std::size_t k, const RigidBodies& bodies) const {
  const JointStiffness& input = (*inputs_)[k];
  Pose p{bodies.motion(input.bodies[0]), bodies.motion(input.bodies[1]), {}, {}, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    p.a[i] = p.of_a.turn * input.axes[0][i];
    p.b[i] = p.of_b.turn * input.axes[1][i];
  }
  p.at_a = p.of_a.centre + p.of_a.turn * bodies.arm(input.bodies[0], input.origins[0]);
  p.at_b = p.of_b.centre + p.of_b.turn * bodies.arm(input.bodies[1], input.origins[1]);
  return p;
}

void JointStiffnesses::find_generalized(std::size_t k, const Pose& pose) {
  const JointStiffness& input = (*inputs_)[k];
  State& s = states_[k];
  Memory& memory = memory_[k];
  const Cardan c = cardan(pose.a, pose.b);
  for (std::size_t i = 0; i < 3; ++i) {
    // Angles are continuous beyond half a turn.
    const double turned = memory.started ? std::remainder(c.angle[i] - s.angle[i], kWholeTurn) : 0.0;
    s.angle[i] = memory.started ? s.angle[i] + turned : c.angle[i];
    s.rate[i] = dot(pose.of_b.w - pose.of_a.w, c.dual[i]);
    s.elastic[i] = elastic(input.moments[i], s.angle[i], turned, memory.friction[i]);
    const LocalId curve = input.moments[i].damping_curve;
    s.damping[i] = curve_or(curve, s.rate[i], 0.0);
    memory.moment -= (s.elastic[i] + s.damping[i]) * c.dual[i];
    // A rotation along the dual direction changes the angle by |dual|, and the moment is along it, too.
    const double both = dot(c.dual[i], c.dual[i]);
    memory.stiffness += both * stiffness(input.moments[i], s.angle[i], 2.0 * std::abs(turned));
    if (curve != model::kNone) memory.damping += both * steepest(model_->curves[curve], -HUGE_VAL, HUGE_VAL);
  }
}

/// The moment of alpha, and its slopes: by alpha, and by a turn of the axis of flexion.
void JointStiffnesses::bend(std::size_t k, double turned, const FlexionTorsion& now) {
  constexpr double kSmall = 1e-3;  // sine up to which the axis' turns count for the stable step
  const JointStiffness& input = (*inputs_)[k];
  const JointMoment& m = input.moments[0];
  State& s = states_[k];
  Memory& memory = memory_[k];
  s.scale = curve_or(input.scale_curve, s.angle[1], 1.0);
  const double curve = curve_or(m.curve, s.angle[0], 0.0), limit = limit_of_friction(m, s.angle[0]);
  s.elastic[0] = s.scale * curve + at_stops(m, s.angle[0]);
  if (limit > 0.0) {
    const double along_x = -std::sin(now.gamma), along_y = std::cos(now.gamma);
    double &x = memory.friction[0], &y = memory.friction[1];
    x += m.stiffness * turned * along_x;
    y += m.stiffness * turned * along_y;
    if (const double size = std::hypot(x, y); size > limit) x *= limit / size, y *= limit / size;
    s.elastic[0] += x * along_x + y * along_y;
  }
  const double scale = curve_or(input.damping_scale_curve, s.rate[1], 1.0);
  s.damping[0] = scale * curve_or(m.damping_curve, s.rate[0], 0.0);
  const double sine = std::max(kSmall, std::sin(s.angle[0]));
  const double by_gamma = input.scale_curve == model::kNone
                              ? 0.0
                              : steepest(model_->curves[input.scale_curve], -HUGE_VAL, HUGE_VAL);
  memory.stiffness += std::max(1.0, std::abs(s.scale)) * stiffness(m, s.angle[0], 2.0 * std::abs(turned)) +
                      (std::abs(s.elastic[0]) + by_gamma * std::abs(curve)) / sine;
  if (m.damping_curve != model::kNone)
    memory.damping += std::abs(scale) * steepest(model_->curves[m.damping_curve], -HUGE_VAL, HUGE_VAL);
}

void JointStiffnesses::find_flexion_torsion(std::size_t k, const Pose& pose) {
  const JointMoment& twist = (*inputs_)[k].moments[2];
  State& s = states_[k];
  Memory& memory = memory_[k];
  const FlexionTorsion now = flexion_torsion(pose.a, pose.b, s.angle[1]);
  if (!memory.started) memory.twist = now.beta;
  // Where the flexion has passed through zero, its axis has changed sign.
  const double bent = memory.started ? now.alpha - s.angle[0] * std::cos(now.gamma - s.angle[1]) : 0.0;
  const double twisted =
      memory.started ? std::remainder(now.beta - memory.twist - s.angle[2], kWholeTurn) : 0.0;
  s.angle = {now.alpha, now.gamma, s.angle[2] + twisted};
  const Vec3 w = pose.of_b.w - pose.of_a.w;
  s.rate = {dot(w, now.of_alpha), dot(w, now.of_gamma), dot(w, now.of_beta)};
  bend(k, bent, now);
  s.elastic[2] = elastic(twist, s.angle[2], twisted, memory.friction[2]);
  s.damping[2] = curve_or(twist.damping_curve, s.rate[2], 0.0);
  memory.moment = -(s.elastic[0] + s.damping[0]) * now.of_alpha - (s.elastic[2] + s.damping[2]) * now.of_beta;
  const double both = dot(now.of_beta, now.of_beta);
  memory.stiffness += both * stiffness(twist, s.angle[2], 2.0 * std::abs(twisted));
  if (twist.damping_curve != model::kNone)
    memory.damping += both * steepest(model_->curves[twist.damping_curve], -HUGE_VAL, HUGE_VAL);
}

void JointStiffnesses::find_forces(std::size_t k, const Pose& pose, const RigidBodies& bodies) {
  const JointStiffness& input = (*inputs_)[k];
  State& s = states_[k];
  Memory& memory = memory_[k];
  const Vec3 apart = pose.at_b - pose.at_a;
  memory.lever = {pose.at_a - pose.of_a.centre, pose.at_a - pose.of_b.centre};
  const Vec3 rate =
      pose.of_b.v + cross(pose.of_b.w, memory.lever[1]) - (pose.of_a.v + cross(pose.of_a.w, memory.lever[0]));
  memory.force = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const double along = dot(apart, pose.b[i]), moved = memory.started ? along - s.angle[i] : 0.0;
    s.angle[i] = along;
    s.rate[i] = dot(rate, pose.b[i]);
    s.elastic[i] = elastic(input.moments[i], along, moved, memory.friction[i]);
    const LocalId curve = input.moments[i].damping_curve;
    s.damping[i] = curve_or(curve, s.rate[i], 0.0);
    memory.force -= (s.elastic[i] + s.damping[i]) * pose.b[i];
    memory.stiffness += stiffness(input.moments[i], along, 2.0 * std::abs(moved));
    if (curve != model::kNone) memory.damping += steepest(model_->curves[curve], -HUGE_VAL, HUGE_VAL);
  }
  const BodyMotion* const motion[2] = {&pose.of_a, &pose.of_b};
  for (std::size_t side = 0; side < 2; ++side)
    memory.mobility[side] =
        bodies.mobility(input.bodies[side], transpose_times(motion[side]->turn, memory.lever[side]));
}

void JointStiffnesses::find_moments(const RigidBodies& bodies) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    Memory& memory = memory_[k];
    memory.moment = {};
    memory.stiffness = memory.damping = 0.0;
    const Pose now = pose(k, bodies);
    switch ((*inputs_)[k].kind) {
      case StiffnessKind::generalized:
        find_generalized(k, now);
        break;
      case StiffnessKind::flexion_torsion:
        find_flexion_torsion(k, now);
        break;
      case StiffnessKind::translational:
        find_forces(k, now, bodies);
    }
    memory.started = true;
    if (off_[k] != 0) rest(k);
  }
}

/// Angles go on; what acts does not.
void JointStiffnesses::rest(std::size_t k) {
  Memory& memory = memory_[k];
  memory.moment = memory.force = {};
  memory.friction = {};
  memory.stiffness = memory.damping = 0.0;
  states_[k].elastic = states_[k].damping = {};
}

void JointStiffnesses::add_moments(RigidBodies& bodies) {
  find_moments(bodies);
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    const JointStiffness& input = (*inputs_)[k];
    const Memory& m = memory_[k];
    if (input.kind == StiffnessKind::translational) {
      bodies.add_load(input.bodies[0], -m.force, -cross(m.lever[0], m.force));
      bodies.add_load(input.bodies[1], m.force, cross(m.lever[1], m.force));
    } else {
      bodies.add_load(input.bodies[0], {}, -m.moment);
      bodies.add_load(input.bodies[1], {}, m.moment);
    }
  }
}

void JointStiffnesses::count_moment_work(const RigidBodies& bodies, double dt_v, bool first) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const JointStiffness& input = (*inputs_)[k];
    const Kick &a = bodies.kick(input.bodies[0]), &b = bodies.kick(input.bodies[1]);
    Memory& memory = memory_[k];
    memory.work.begin_step(first);
    const auto power = [&](const Vec3& v_a, const Vec3& v_b, const Vec3& w_a, const Vec3& w_b) {
      if (input.kind != StiffnessKind::translational) return dot(memory.moment, w_b - w_a);
      return dot(memory.force, v_b + cross(w_b, memory.lever[1]) - v_a - cross(w_a, memory.lever[0]));
    };
    memory.work.add(dt_v * power(a.v_before, b.v_before, a.w_before, b.w_before),
                    dt_v * power(a.v_after, b.v_after, a.w_after, b.w_after));
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
  auto all = std::make_unique<JointStiffnesses>(start.model);
  all->sensors_ = start.started.find<sensors::Sensors>();
  return all;
}

void JointStiffnesses::add_body_forces(modules::Cycle& c) {
  if (sensors_ != nullptr)
    sensors_->each(sensors::Controlled::stiffness,
                   [&](std::int32_t k, bool on) { off_[static_cast<std::size_t>(k)] = on ? 0 : 1; });
  add_moments(c.bodies);
}

}  // namespace crumple::constraints
