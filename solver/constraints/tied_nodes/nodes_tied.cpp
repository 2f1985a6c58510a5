// Common motion of coincident nodes, and their failure.
#include "constraints/tied_nodes/nodes_tied.hpp"

#include "modules/modules.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

std::vector<MeanPlasticStrains::Around> around(const std::vector<TiedNodes>& all) {
  std::vector<MeanPlasticStrains::Around> groups;
  for (const TiedNodes& tied : all) groups.push_back({tied.nodes, tied.kind});
  return groups;
}

/// Directions in which some node of a group is held or moved, and the velocity there.
struct GivenVelocity {
  Directions along;
  Vec3 velocity;

  void add(const Directions& held, const Vec3& v) {
    for (int k = 0; k < held.count; ++k) {
      const Vec3& axis = held.axis[static_cast<std::size_t>(k)];
      const int before = along.count;
      along.add(axis);
      if (along.count == before) continue;
      const Vec3& fresh = along.axis[static_cast<std::size_t>(before)];
      velocity += ((dot(v, axis) - dot(velocity, axis)) / dot(axis, fresh)) * fresh;
    }
  }
  Vec3 with(const Vec3& mean) const { return velocity + along.removed_from(mean); }
};

}  // namespace

NodesTied::NodesTied(const modules::Start& start)
    : all_(&start.model.features.of<TiedNodes>()),
      modules_(&start.started),
      rank_(start.comm.rank()),
      strains_(start, around(*all_)),
      failed_(all_->size(), 0),
      strain_(all_->size(), 0.0) {
  std::vector<LocalId> nodes;
  add_held_nodes(nodes);
  require_inertia(start, nodes, {});
}

std::unique_ptr<modules::Module> NodesTied::start(const modules::Start& start) {
  if (start.model.features.of<TiedNodes>().empty()) return nullptr;  // all ranks have all groups
  return std::make_unique<NodesTied>(start);
}

void NodesTied::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const TiedNodes& tied : *all_)
    if (tied.by_springs == 0) nodes.insert(nodes.end(), tied.nodes.begin(), tied.nodes.end());
}

void NodesTied::initialize(state::Nodal& nodal, const RigidBodies&) {
  for (const TiedNodes& tied : *all_) {
    if (tied.by_springs != 0) continue;
    double mass = 0.0, inertia = 0.0;
    Vec3 momentum, twist;
    for (const LocalId n : tied.nodes) {
      mass += nodal.mass[at(n)], inertia += nodal.inertia[at(n)];
      momentum += nodal.mass[at(n)] * nodal.v[at(n)];
      twist += nodal.inertia[at(n)] * nodal.w[at(n)];
    }
    for (const LocalId n : tied.nodes) {
      if (mass > 0.0) nodal.v[at(n)] = (1.0 / mass) * momentum;
      if (inertia > 0.0) nodal.w[at(n)] = (1.0 / inertia) * twist;
    }
  }
}

void NodesTied::find_failed(std::span<const state::GroupView> groups) {
  strains_.find(groups, failed_, strain_);
  for (std::size_t k = 0; k < all_->size(); ++k)
    if (strain_[k] > (*all_)[k].failure_strain) failed_[k] = 1;
}

void NodesTied::hold(const TiedNodes& tied, modules::Cycle& cycle) {
  state::Nodal& nodal = cycle.nodal;
  mobility_.clear();
  GivenVelocity given, given_turn;
  double mass = 0.0, inertia = 0.0;
  Vec3 momentum, twist;
  for (const LocalId n : tied.nodes) {
    const Mobility& m = mobility_.emplace_back(mobility_of(n, *modules_, cycle));
    given.add(m.held, nodal.v[at(n)]);
    given_turn.add(m.held_turns, nodal.w[at(n)]);
    mass += nodal.mass[at(n)], inertia += nodal.inertia[at(n)];
    momentum += nodal.mass[at(n)] * nodal.v[at(n)];
    twist += nodal.inertia[at(n)] * nodal.w[at(n)];
  }
  if (!(mass > 0.0)) return;
  motion_.begin(nodal, tied.nodes);
  const Vec3 v = given.with((1.0 / mass) * momentum);
  const Vec3 w = inertia > 0.0 ? given_turn.with((1.0 / inertia) * twist) : Vec3{};
  for (const LocalId n : tied.nodes) {
    nodal.v[at(n)] = v;
    if (inertia > 0.0) nodal.w[at(n)] = w;
  }
  const bool holds_any = given.along.count + given_turn.along.count > 0;
  motion_.finish(cycle, rank_, holds_any ? &work_ : nullptr);
}

void NodesTied::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  if (cycle.stage == model::Stage::transient) find_failed(cycle.elements);
  for (std::size_t k = 0; k < all_->size(); ++k)
    if (!failed_[k] && (*all_)[k].by_springs == 0 && !(*all_)[k].nodes.empty()) hold((*all_)[k], cycle);
}

void NodesTied::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  const auto here = archive.module("tied nodes");
  const std::vector<GlobalId> keys = state::numbered(failed_.size());
  archive.field("failed", Rows::equal(Of::entity, keys), std::span(failed_));
  archive.field("strain", Rows::equal(Of::entity, keys), std::span(strain_));
  archive.global_sum("work", work_, rank_);
}

}  // namespace crumple::constraints
