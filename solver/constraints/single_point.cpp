// Projection of accelerations and velocities onto the freedoms that single-point constraints leave free.
#include "constraints/single_point.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace crumple::constraints {

namespace {

/// Reaction on a node: the force that removes `taken` from its acceleration, or the held part of the load on
/// a node without mass.
Vec3 answer(double mass, const Vec3& taken, const parallel::FixedVector& load, const Directions& held) {
  if (mass > 0.0 || load.is_zero()) return mass * taken;
  return -held.part_of(load.value());
}

}  // namespace

SinglePoint::SinglePoint(const model::Model& model, int rank)
    : model_(&model), rank_(rank), chosen_(HUGE_VAL), next_change_(HUGE_VAL) {
  std::map<LocalId, std::vector<LocalId>> of_node;
  for (std::size_t k = 0; k < model.constraints.size(); ++k)
    if (model.constraints[k].mask != 0) of_node[model.constraints[k].node].push_back(LocalId(k));
  for (auto& [node, constraints] : of_node) {
    Held held;
    held.node = node;
    held.constraints = std::move(constraints);
    held_.push_back(std::move(held));
  }
}

void SinglePoint::widen(Held& held, const model::NodeConstraint& constraint) const {
  const Matrix3 axes =
      constraint.system == model::kNone ? identity3() : model_->systems[constraint.system].axis;
  for (int k = 0; k < 3; ++k) {
    if (constraint.mask & (1u << k)) held.translation.add(axes[k]);
    if (constraint.mask & (1u << (k + 3))) held.rotation.add(axes[k]);
  }
}

void SinglePoint::choose_active(double time) {
  chosen_ = time;
  next_change_ = HUGE_VAL;
  for (Held& held : held_) {
    held.translation = held.rotation = {};
    for (const LocalId k : held.constraints) {
      const model::NodeConstraint& c = model_->constraints[k];
      if (c.birth <= time && time < c.death) widen(held, c);
      for (const double change : {c.birth, c.death})
        if (change > time) next_change_ = std::min(next_change_, change);
    }
  }
}

void SinglePoint::apply(state::Nodal& nodal, double time) {
  if (time < chosen_ || time >= next_change_) choose_active(time);  // time starts again after relaxation
  for (Held& held : held_) {
    const LocalId i = held.node;
    const Vec3 a = held.translation.removed_from(nodal.a[i]);
    const Vec3 alpha = held.rotation.removed_from(nodal.alpha[i]);
    const parallel::LoadSum& loads = nodal.loads[i];
    held.force = answer(nodal.mass[i], a - nodal.a[i], loads.force, held.translation);
    held.moment = answer(nodal.inertia[i], alpha - nodal.alpha[i], loads.moment, held.rotation);
    nodal.a[i] = a;
    nodal.alpha[i] = alpha;
    nodal.v[i] = held.translation.removed_from(nodal.v[i]);
    nodal.w[i] = held.rotation.removed_from(nodal.w[i]);
  }
}

void SinglePoint::add_held(LocalId node, Directions& translation, Directions& rotation) const {
  const auto held = std::ranges::lower_bound(held_, node, {}, &Held::node);
  if (held == held_.end() || held->node != node) return;
  for (int k = 0; k < held->translation.count; ++k) translation.add(held->translation.axis[k]);
  for (int k = 0; k < held->rotation.count; ++k) rotation.add(held->rotation.axis[k]);
}

std::vector<SinglePoint::Reaction> SinglePoint::reactions(const state::Nodal& nodal) const {
  std::vector<Reaction> result;
  for (const Held& held : held_)
    if (nodal.owner[held.node] == rank_ && held.translation.count + held.rotation.count > 0)
      result.push_back({held.node, held.force, held.moment});
  std::sort(result.begin(), result.end(),
            [&](const Reaction& a, const Reaction& b) { return nodal.id[a.node] < nodal.id[b.node]; });
  return result;
}

std::unique_ptr<modules::Module> SinglePoint::start(const modules::Start& start) {
  if (start.model.constraints.empty()) return nullptr;
  return std::make_unique<SinglePoint>(start.model, start.comm.rank());
}

void SinglePoint::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const model::NodeConstraint& constraint : model_->constraints)
    if (constraint.node != model::kNone) nodes.push_back(constraint.node);
}

}  // namespace crumple::constraints
