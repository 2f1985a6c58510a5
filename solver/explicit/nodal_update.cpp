// Passes over the nodes.
#include "explicit/nodal_update.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crumple::explicit_dynamics {

namespace {

constexpr std::size_t kAdvancedForThreads =
    2048;  ///< with fewer, starting threads takes longer than the work

}  // namespace

NodalUpdate::NodalUpdate(std::span<const char> rigid, elements::Isa isa)
    : rigid_(rigid.begin(), rigid.end()),
      mover_(rigid.size(), Mover::itself),
      passes_(find_node_passes(isa)) {
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    if (!rigid[i]) continue;
    mover_[i] = Mover::rigid_body;
    of_bodies_.push_back(static_cast<LocalId>(i));
  }
}

void NodalUpdate::hold(LocalId node) {
  if (mover_[node] == Mover::constraint) return;
  mover_[node] = Mover::constraint;
  held_.push_back(node);
}

void NodalUpdate::watch(std::span<const LocalId> nodes) {
  for (const LocalId n : watched_)
    if (mover_[n] == Mover::watched) mover_[n] = Mover::itself;
  watched_.assign(nodes.begin(), nodes.end());
  for (const LocalId n : watched_)
    if (mover_[n] == Mover::itself) mover_[n] = Mover::watched;
}

void NodalUpdate::clear_rigid(state::Nodal& nodal) const {
#pragma omp parallel for schedule(static) if (of_bodies_.size() > kAdvancedForThreads)
  for (std::size_t k = 0; k < of_bodies_.size(); ++k) nodal.loads[of_bodies_[k]].clear();
}

void NodalUpdate::clear_forces(state::Nodal& nodal) {
  if (std::exchange(cleared_, false)) return clear_rigid(nodal);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodal.size(); ++i) nodal.loads[i].clear();
}

GlobalId NodalUpdate::accelerate(state::Nodal& nodal, bool whole, std::size_t ahead) {
  whole_ = whole;
  ahead_ = whole ? nodal.size() : std::min(ahead, nodal.size());
  GlobalId overflow = kNoNode;
  const auto store = [&](std::size_t i, GlobalId& least) {
    const Accelerations a = accelerations_at(nodal.loads[i], nodal.mass[i], nodal.inertia[i]);
    if (a.overflow) least = std::min(least, nodal.id[i]);
    nodal.a[i] = a.linear;
    nodal.alpha[i] = a.angular;
  };
#pragma omp parallel for schedule(static) reduction(min : overflow) if (ahead_ > kAdvancedForThreads)
  for (std::size_t i = 0; i < ahead_; ++i) store(i, overflow);
  for (const LocalId n : held_)
    if (const auto i = static_cast<std::size_t>(n); i >= ahead_) store(i, overflow);
  return overflow;
}

/// Advances nodes before `end` and held ones.
double NodalUpdate::advance_stored(state::Nodal& nodal, double dt_v, std::size_t end) const {
  const auto advance = [&](std::size_t i, double& fastest) {
    nodal.v[i] += dt_v * nodal.a[i];
    nodal.w[i] += dt_v * nodal.alpha[i];
    if (!rigid_[i]) fastest = std::max(fastest, dot(nodal.v[i], nodal.v[i]));
    if (!whole_ && !rigid_[i]) nodal.loads[i].clear();
  };
  double fastest = 0.0;
#pragma omp parallel for schedule(static) reduction(max : fastest) if (end > kAdvancedForThreads)
  for (std::size_t i = 0; i < end; ++i) advance(i, fastest);
  for (const LocalId n : held_)
    if (const auto i = static_cast<std::size_t>(n); i >= end) advance(i, fastest);
  return fastest;
}

/// Advances the free nodes from `ahead_` on. Nodes of rigid bodies are placed later; their forces are still
/// needed.
Advanced NodalUpdate::advance_others(state::Nodal& nodal, double dt_v, double read_above) const {
  const FreeNodes nodes{.id = nodal.id.data(),
                        .mover = mover_.data(),
                        .mass = nodal.mass.data(),
                        .inertia = nodal.inertia.data(),
                        .loads = nodal.loads.data(),
                        .v = nodal.v.data(),
                        .w = nodal.w.data(),
                        .a = watched_.empty() && std::isinf(read_above) ? nullptr : nodal.a.data(),
                        .dt_v = dt_v,
                        .read_above2 = read_above * std::abs(read_above)};
  double fastest2 = 0.0;
  GlobalId overflow = kNoNode;
#pragma omp parallel for schedule(static) reduction(max : fastest2) reduction(min : overflow)
  for (std::size_t i = ahead_; i < nodal.size(); i += kNodesOfPass) {
    const Advanced some = passes_.velocities(nodes, i, std::min(i + kNodesOfPass, nodal.size()));
    fastest2 = std::max(fastest2, some.fastest2);
    overflow = std::min(overflow, some.overflow);
  }
  return {fastest2, overflow};
}

Advanced NodalUpdate::advance(state::Nodal& nodal, double dt_v, double read_above) {
  Advanced of_all;
  if (!whole_) of_all = advance_others(nodal, dt_v, read_above);
  cleared_ = !whole_;
  of_all.fastest2 = std::max(of_all.fastest2, advance_stored(nodal, dt_v, ahead_));
  return of_all;
}

Fastest NodalUpdate::advance_positions(state::Nodal& nodal, std::span<const char> welded, double dt_x) const {
  const Positions nodes{.rigid = rigid_.data(),
                        .welded = welded.data(),
                        .v = nodal.v.data(),
                        .x = nodal.x.data(),
                        .dt_x = dt_x};
  double moved2 = 0.0, of_all2 = 0.0;
#pragma omp parallel for schedule(static) reduction(max : moved2, of_all2)
  for (std::size_t i = 0; i < nodal.size(); i += kNodesOfPass) {
    const Fastest some = passes_.positions(nodes, i, std::min(i + kNodesOfPass, nodal.size()));
    moved2 = std::max(moved2, some.moved2);
    of_all2 = std::max(of_all2, some.of_all2);
  }
  return {moved2, of_all2};
}

}  // namespace crumple::explicit_dynamics
