// Increments of prescribed motion, and the directions that constraints hold.
#include "implicit/supports.hpp"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/error.hpp"

namespace crumple::implicit {

using constraints::identity3;
using constraints::Matrix3;
using model::kNone;
using model::Stage;

void GivenMotion::add(const Vec3& direction, double value) {
  const double length = norm(direction);
  Vec3 rest = direction;
  double rest_value = value;
  for (int k = 0; k < along.count; ++k) {
    const double part = dot(direction, along.axis[at(k)]);
    rest -= part * along.axis[at(k)];
    rest_value -= part * by[at(k)];
  }
  const int before = along.count;
  along.add(direction);
  if (along.count == before || !(length > 0.0)) return;
  const double size = dot(rest, along.axis[at(before)]);
  by[at(before)] = rest_value / size;
}

Vec3 GivenMotion::increment() const {
  Vec3 sum;
  for (int k = 0; k < along.count; ++k) sum += by[at(k)] * along.axis[at(k)];
  return sum;
}

Supports::Supports(const model::Model& model, std::span<const RigidPoint> bodies)
    : model_(&model), bodies_(bodies) {
  for (const model::PrescribedMotion& input : model.motions) {
    const bool of_body = input.node == kNone;
    if (of_body && input.rigid_body == kNone) continue;
    const constraints::Motion motion(input);
    if (motion.kind == 1)
      throw Error("CR-I101", "prescribed acceleration of " +
                                 (of_body ? name_of_body(model.rigid_bodies[at(input.rigid_body)])
                                          : "node " + std::to_string(model.nodes.id[at(input.node)])) +
                                 ": an acceleration has no meaning in statics");
    const auto body = static_cast<LocalId>(model.nodes.size()) + input.rigid_body;
    driven_.push_back({of_body ? body : input.node, motion, {}});
  }
}

Supports::Begin Supports::begin_of(const Driven& driven, double start, const Vec3& x) const {
  if (driven.begin.known) return driven.begin;
  return {true, x - driven.motion.displacement(*model_, start, Stage::transient) * driven.motion.direction};
}

/// The integral of a prescribed velocity: midpoints between the points of its curve, where it is linear.
double Supports::travelled(const constraints::Motion& motion, double start, double end) const {
  std::vector<double> times{start, end};
  if (motion.curve != kNone) {
    const model::Curve& curve = model_->curves[at(motion.curve)];
    const double shift = motion.birth > 0.0 && !curve.x.empty() ? motion.birth - curve.x.front() : 0.0;
    for (const double x : curve.x)
      if (x + shift > start && x + shift < end) times.push_back(x + shift);
  }
  std::ranges::sort(times);
  double sum = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k)
    sum +=
        (times[k] - times[k - 1]) * motion.value(*model_, 0.5 * (times[k - 1] + times[k]), Stage::transient);
  return sum;
}

double Supports::increment(const Driven& driven, double start, double end, const Vec3& x) const {
  const constraints::Motion& m = driven.motion;
  if (m.kind == 0) return travelled(m, start, end);
  const double to = m.displacement(*model_, end, Stage::transient);
  if (m.rotation) return to - m.displacement(*model_, start, Stage::transient);
  return to - dot(x - begin_of(driven, start, x).position, m.direction);
}

/// Prescribed motions come before constraints, and later ones before earlier ones, as in the explicit
/// solver, where what comes later replaces.
std::vector<NodeGiven> Supports::in_step(double start, double end, std::span<const Vec3> x) const {
  std::map<LocalId, NodeGiven> nodes;
  const auto given = [&](LocalId node) -> NodeGiven& {
    NodeGiven& entry = nodes[node];
    entry.node = node;
    return entry;
  };
  for (const Driven& driven : driven_ | std::views::reverse) {
    const constraints::Motion& m = driven.motion;
    if (!m.active(start)) continue;
    NodeGiven& entry = given(driven.node);
    GivenMotion& motion = m.rotation ? entry.rotation : entry.translation;
    motion.add(m.direction, increment(driven, start, end, x[at(driven.node)]));
    for (int k = 0; m.others_held && k < 3; ++k) motion.add(identity3()[at(k)], 0.0);
    motion.moved = motion.along.count;
  }
  for (const model::NodeConstraint& c : model_->constraints) {
    if (c.node == kNone || !(c.birth <= start && start < c.death)) continue;
    const Matrix3 axes = c.system == kNone ? identity3() : model_->systems[at(c.system)].axis;
    NodeGiven& entry = given(c.node);
    for (int k = 0; k < 3; ++k) {
      if (c.mask & (1u << k)) entry.translation.add(axes[at(k)], 0.0);
      if (c.mask & (1u << (k + 3))) entry.rotation.add(axes[at(k)], 0.0);
    }
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const NodeFreedoms& held = bodies_[b].held;
    if (held.size() == 0) continue;
    NodeGiven& entry = given(static_cast<LocalId>(model_->nodes.size() + b));
    for (int k = 0; k < held.translation.count; ++k) entry.translation.add(held.translation.axis[at(k)], 0.0);
    for (int k = 0; k < held.rotation.count; ++k) entry.rotation.add(held.rotation.axis[at(k)], 0.0);
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
