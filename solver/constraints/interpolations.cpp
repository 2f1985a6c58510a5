// Means over nodes for motion, and the transpose for forces.
#include "constraints/interpolations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/assert.hpp"
#include "model/hanging_nodes.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

constexpr std::uint8_t kRotations = 0b111000;

bool is_hanging(const model::Interpolation& input) { return (input.mask & model::kHanging) != 0; }

/// Centre, arms and inverse of K of weighted points.
struct Cloud {
  Vec3 centre;
  std::vector<Vec3> r;
  Matrix3 inverse{};

  Cloud(const model::Interpolation& input, const std::vector<Vec3>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) centre += input.weights[i] * (x[i] - x[0]);
    centre += x[0];
    Matrix3 k{};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3& ri = r.emplace_back(x[i] - centre);
      for (int a = 0; a < 3; ++a) {
        k[a] -= (input.weights[i] * ri[a]) * ri;
        k[a][a] += input.weights[i] * dot(ri, ri);
      }
    }
    inverse = pseudo_inverse(k);
  }

  Vec3 spin(const model::Interpolation& input, const std::vector<Vec3>& v) const {
    Vec3 sum;
    for (std::size_t i = 0; i < v.size(); ++i) sum += input.weights[i] * cross(r[i], v[i]);
    return inverse * sum;
  }
};

std::vector<Vec3> gather(const model::Interpolation& input, const AlignedVector<Vec3>& values) {
  std::vector<Vec3> of;
  for (const LocalId n : input.nodes) of.push_back(values[n]);
  return of;
}

Vec3 mean(const model::Interpolation& input, const std::vector<Vec3>& values) {
  Vec3 sum;
  for (std::size_t i = 0; i < values.size(); ++i) sum += input.weights[i] * values[i];
  return sum;
}

[[maybe_unused]] double total_weight(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// r rotated by the Cayley vector theta: the r' with r' - r = theta x (r + r') / 2.
Vec3 turned(const Vec3& r, const Vec3& theta) {
  const Vec3 once = cross(theta, r);
  return r + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
}

}  // namespace

Interpolations::Interpolations(const model::Model& model, state::Nodal& nodal)
    : model_(&model), held_(model.interpolations.size()) {
  if (held_.empty()) return;
  for (auto* taken : {&nodal.tied_mass, &nodal.tied_inertia})
    if (taken->empty()) taken->assign(nodal.size(), 0.0);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model.interpolations[k];
    CRUMPLE_ASSERT(input.weights.size() == input.nodes.size(), input.weights.size(), input.nodes.size(),
                   input.id);
    CRUMPLE_ASSERT(std::ranges::find(input.nodes, input.node) == input.nodes.end(), input.node, input.id);
    CRUMPLE_ASSERT(std::abs(total_weight(input.weights) - 1.0) < 1e-9, total_weight(input.weights), input.id);
    held_[k].x = gather(input, nodal.x);
    held_[k].arm = nodal.x[input.node] - Cloud(input, held_[k].x).centre;
    take_mass(input, nodal);
  }
}

void Interpolations::take_mass(const model::Interpolation& input, state::Nodal& nodal) const {
  const LocalId d = input.node;
  const double mass = nodal.mass[d], inertia = (input.mask & kRotations) ? nodal.inertia[d] : 0.0;
  if (mass == 0.0 && inertia == 0.0) return;
  for (std::size_t i = 0; i < input.nodes.size(); ++i) nodal.mass[input.nodes[i]] += input.weights[i] * mass;
  if (is_hanging(input))
    for (std::size_t i = 0; i < input.nodes.size(); ++i)
      nodal.inertia[input.nodes[i]] += input.weights[i] * inertia;
  nodal.mass[d] -= mass;
  nodal.inertia[d] -= inertia;
  nodal.tied_mass[d] += mass;
  nodal.tied_inertia[d] += inertia;
}

std::vector<double> Interpolations::transferred(std::vector<double> mass) const {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model_->interpolations[k];
    const double given = std::exchange(mass[input.node], 0.0);
    for (std::size_t i = 0; i < input.nodes.size(); ++i) mass[input.nodes[i]] += input.weights[i] * given;
  }
  return mass;
}

void Interpolations::archive(state::Archive& archive) {
  if (held_.empty()) return;
  using state::Of, state::Rows;
  static_assert(field_count<Held>() == 2, "is the new member carried on?");
  const auto here = archive.module("interpolations");
  std::vector<GlobalId> ids;
  for (const model::Interpolation& input : model_->interpolations)
    ids.push_back(model_->nodes.id[input.node]);
  const std::vector<GlobalId> keys = state::numbered_among_equals(ids, 1);
  archive.member("arm", Rows::equal(Of::entity, keys, 2), std::span(held_), &Held::arm);
}

void Interpolations::take_arms(const state::Nodal& nodal) {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model_->interpolations[k];
    held_[k].x = gather(input, nodal.x);
    held_[k].arm = nodal.x[input.node] - Cloud(input, held_[k].x).centre;
  }
}

void Interpolations::start(state::Nodal& nodal) {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model_->interpolations[k];
    const std::vector<Vec3> v = gather(input, nodal.v);
    if (is_hanging(input)) {
      nodal.v[input.node] = mean(input, v);
      nodal.w[input.node] = mean(input, gather(input, nodal.w));
      continue;
    }
    const Vec3 spin = Cloud(input, held_[k].x).spin(input, v);
    nodal.v[input.node] = mean(input, v) + cross(spin, held_[k].arm);
    if (input.mask & kRotations) nodal.w[input.node] = spin;
  }
}

void Interpolations::transfer(state::Nodal& nodal) {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model_->interpolations[k];
    Held& held = held_[k];
    take_mass(input, nodal);
    const Vec3 force = nodal.force_at(input.node);
    if (is_hanging(input)) {
      const Vec3 turning = nodal.moment_at(input.node);
      for (std::size_t i = 0; i < input.nodes.size(); ++i) {
        nodal.add_force(input.nodes[i], input.weights[i] * force);
        nodal.add_moment(input.nodes[i], input.weights[i] * turning);
      }
      continue;
    }
    held.x = gather(input, nodal.x);
    const Cloud cloud(input, held.x);
    Vec3 moment = cross(held.arm, force);
    if (input.mask & kRotations) moment += nodal.moment_at(input.node);
    const Vec3 turning = cloud.inverse * moment;
    for (std::size_t i = 0; i < input.nodes.size(); ++i)
      nodal.add_force(input.nodes[i], input.weights[i] * (force + cross(turning, cloud.r[i])));
  }
}

void Interpolations::move(state::Nodal& nodal, double dt_x) {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const model::Interpolation& input = model_->interpolations[k];
    Held& held = held_[k];
    const LocalId d = input.node;
    const std::vector<Vec3> v = gather(input, nodal.v), a = gather(input, nodal.a);
    if (is_hanging(input)) {
      nodal.v[d] = mean(input, v);
      nodal.a[d] = mean(input, a);
      nodal.w[d] = mean(input, gather(input, nodal.w));
      nodal.alpha[d] = mean(input, gather(input, nodal.alpha));
      continue;
    }
    // Half way through the step, where v = W x r holds for rigid motion: the Cayley map uses the mean of both
    // ends.
    std::vector<Vec3> half = held.x;
    for (std::size_t i = 0; i < half.size(); ++i) half[i] += (0.5 * dt_x) * v[i];
    const Vec3 spin = Cloud(input, half).spin(input, v);
    const Vec3 alpha = Cloud(input, held.x).spin(input, a);
    const Vec3 arm = turned(held.arm, dt_x * spin);
    nodal.v[d] = mean(input, v) + (1.0 / dt_x) * (arm - held.arm);
    nodal.a[d] = mean(input, a) + cross(alpha, held.arm);
    if (input.mask & kRotations) {
      nodal.w[d] = spin;
      nodal.alpha[d] = alpha;
    }
    held.arm = arm;
  }
}

}  // namespace crumple::constraints
