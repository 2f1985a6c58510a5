// Increments of prescribed motion, and the directions that constraints hold.
#include "implicit/supports.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "base/error.hpp"

namespace crumple::implicit {

using constraints::identity3;
using constraints::Matrix3;
using model::Dynamics;
using model::kNone;

void GivenMotion::add(const Vec3& direction, const MotionAlong& value) {
  const double length = norm(direction);
  Vec3 rest = direction;
  MotionAlong left = value;
  for (int k = 0; k < along.count; ++k) {
    const double part = dot(direction, along.axis[at(k)]);
    rest -= part * along.axis[at(k)];
    left.by -= part * by[at(k)];
    left.velocity -= part * velocity[at(k)];
    left.acceleration -= part * acceleration[at(k)];
  }
  const int before = along.count;
  along.add(direction);
  if (along.count == before || !(length > 0.0)) return;
  const double size = dot(rest, along.axis[at(before)]);
  by[at(before)] = left.by / size;
  velocity[at(before)] = left.velocity / size;
  acceleration[at(before)] = left.acceleration / size;
}

Vec3 GivenMotion::increment() const {
  Vec3 sum;
  for (int k = 0; k < along.count; ++k) sum += by[at(k)] * along.axis[at(k)];
  return sum;
}

Supports::Supports(const model::Model& model, std::span<const RigidPoint> bodies, model::Stage stage,
                   bool springback)
    : model_(&model), bodies_(bodies), stage_(stage) {
  if (springback) hold_in_springback();
  for (const model::PrescribedMotion& input : model.motions) {
    const bool of_body = input.node == kNone;
    if (of_body && input.rigid_body == kNone) continue;
    const constraints::Motion motion(input);
    const Dynamics& dynamics = model.control.implicit.dynamics;
    const bool throughout = dynamics.active && dynamics.share == kNone && !(dynamics.birth > 0.0) &&
                            dynamics.death >= model.control.end_time;
    if (motion.kind == 1 && !throughout)
      throw Error("CR-I101", "prescribed acceleration of " +
                                 (of_body ? name_of_body(model.rigid_bodies[at(input.rigid_body)])
                                          : "node " + std::to_string(model.nodes.id[at(input.node)])) +
                                 ": an acceleration has no meaning in statics");
    const auto body = static_cast<LocalId>(model.nodes.size()) + input.rigid_body;
    driven_.push_back({of_body ? body : input.node, motion, {}});
  }
}

void Supports::hold_in_springback() {
  for (const model::HeldInSpringback& held : model_->control.implicit.springback.held) {
    const auto node = std::ranges::find(model_->nodes.id, held.node);
    if (node != model_->nodes.id.end())
      held_.push_back(
          {static_cast<LocalId>(node - model_->nodes.id.begin()), held.translations, held.rotations});
  }
}

Supports::Begin Supports::begin_of(const Driven& driven, double start, const Vec3& x) const {
  if (driven.begin.known) return driven.begin;
  return {true, x - driven.motion.displacement(*model_, start, stage_) * driven.motion.direction};
}

/// Start, end and the points of the curve between them: between two of these it is linear.
std::vector<double> Supports::pieces(const constraints::Motion& motion, double start, double end) const {
  std::vector<double> times{start, end};
  if (motion.curve != kNone) {
    const model::Curve& curve = model_->curves[at(motion.curve)];
    const double shift = motion.birth > 0.0 && !curve.x.empty() ? motion.birth - curve.x.front() : 0.0;
    for (const double x : curve.x)
      if (x + shift > start && x + shift < end) times.push_back(x + shift);
  }
  std::ranges::sort(times);
  return times;
}

/// The integral of a prescribed velocity, or of an acceleration, by the middles of pieces.
double Supports::travelled(const constraints::Motion& motion, double start, double end) const {
  const std::vector<double> times = pieces(motion, start, end);
  double sum = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k)
    sum += (times[k] - times[k - 1]) * motion.value(*model_, 0.5 * (times[k - 1] + times[k]), stage_);
  return sum;
}

/// The second integral of a prescribed acceleration: that of (end - t) a(t), of pieces by Gauss's two points.
double Supports::travelled_twice(const constraints::Motion& motion, double start, double end) const {
  const std::vector<double> times = pieces(motion, start, end);
  double sum = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k)
    for (const double side : {-1.0, 1.0}) {
      const double half = 0.5 * (times[k] - times[k - 1]);
      const double t = times[k - 1] + half * (1.0 + side / std::sqrt(3.0));
      sum += half * (end - t) * motion.value(*model_, t, stage_);
    }
  return sum;
}

MotionAlong Supports::motion(const Driven& driven, double start, double end,
                             const NodesAtStart& nodes) const {
  const constraints::Motion& m = driven.motion;
  const std::span<const Vec3> velocities = m.rotation ? nodes.w : nodes.v;
  const double before = velocities.empty() ? 0.0 : dot(velocities[at(driven.node)], m.direction);
  const double dt = end - start;
  MotionAlong to;
  if (m.kind == 1) {
    to.by = before * dt + travelled_twice(m, start, end);
    to.velocity = before + travelled(m, start, end);
    to.acceleration = m.value(*model_, end, stage_);
    return to;
  }
  if (m.kind == 0) {
    to.by = travelled(m, start, end);
    to.velocity = m.value(*model_, end, stage_);
  } else {
    const double reached = m.displacement(*model_, end, stage_);
    const Vec3& x = nodes.x[at(driven.node)];
    to.by = m.rotation ? reached - m.displacement(*model_, start, stage_)
                       : reached - dot(x - begin_of(driven, start, x).position, m.direction);
    const double piece = pieces(m, start, end).end()[-2];
    to.velocity = (reached - m.displacement(*model_, piece, stage_)) / (end - piece);
  }
  to.acceleration = (to.velocity - before) / dt;
  return to;
}

/// Whether another motion of the node acts instead, whose curve is for this stage.
bool Supports::yields(const Driven& driven, double time) const {
  if (stage_ == model::Stage::transient) return false;
  return std::ranges::any_of(driven_, [&](const Driven& other) {
    return other.node == driven.node && driven.motion.yields_to(other.motion, *model_, time, stage_);
  });
}

/// Prescribed motions come before constraints, and later ones before earlier ones, as in the explicit
/// solver, where what comes later replaces.
std::vector<NodeGiven> Supports::in_step(double start, double end, const NodesAtStart& at_start) const {
  std::map<LocalId, NodeGiven> nodes;
  const auto given = [&](LocalId node) -> NodeGiven& {
    NodeGiven& entry = nodes[node];
    entry.node = node;
    return entry;
  };
  for (const Driven& driven : driven_ | std::views::reverse) {
    const constraints::Motion& m = driven.motion;
    if (!m.active(start) || yields(driven, start)) continue;
    NodeGiven& entry = given(driven.node);
    GivenMotion& to = m.rotation ? entry.rotation : entry.translation;
    to.add(m.direction, motion(driven, start, end, at_start));
    for (int k = 0; m.others_held && k < 3; ++k) to.add(identity3()[at(k)], {});
    to.moved = to.along.count;
  }
  for (const model::NodeConstraint& c : model_->constraints) {
    if (c.node == kNone || !(c.birth <= start && start < c.death)) continue;
    const Matrix3 axes = c.system == kNone ? identity3() : model_->systems[at(c.system)].axis;
    NodeGiven& entry = given(c.node);
    for (int k = 0; k < 3; ++k) {
      if (c.mask & (1u << k)) entry.translation.add(axes[at(k)], {});
      if (c.mask & (1u << (k + 3))) entry.rotation.add(axes[at(k)], {});
    }
  }
  for (const Held& held : held_) {
    NodeGiven& entry = given(held.node);
    for (int k = 0; k < 3; ++k) {
      if (held.translations & (1u << k)) entry.translation.add(identity3()[at(k)], {});
      if (held.rotations & (1u << k)) entry.rotation.add(identity3()[at(k)], {});
    }
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const NodeFreedoms& held = bodies_[b].held;
    if (held.size() == 0) continue;
    NodeGiven& entry = given(static_cast<LocalId>(model_->nodes.size() + b));
    for (int k = 0; k < held.translation.count; ++k) entry.translation.add(held.translation.axis[at(k)], {});
    for (int k = 0; k < held.rotation.count; ++k) entry.rotation.add(held.rotation.axis[at(k)], {});
  }
  std::vector<NodeGiven> all;
  for (auto& [node, entry] : nodes) all.push_back(entry);
  return all;
}

void Supports::accept(double start, double, std::span<const Vec3> x) {
  for (Driven& driven : driven_)
    if (driven.motion.kind == 2 && !driven.motion.rotation && driven.motion.active(start))
      driven.begin = begin_of(driven, start, x[at(driven.node)]);
}

}  // namespace crumple::implicit
