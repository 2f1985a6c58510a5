// Passes over the nodes.
#include "explicit/nodal_update.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace crumple::explicit_dynamics {

namespace {

constexpr std::size_t kNodesForThreads = 2048;  ///< fewer are done before other threads would have woken

struct Accelerations {
  Vec3 linear, angular;
  bool overflow = false;
};

/// 1 / scale of a power of two, by its exponent: a division is what a pass over all nodes would wait for.
double inverse_scale(double scale) {
  return std::bit_cast<double>(std::uint64_t{0x7FE0000000000000} - std::bit_cast<std::uint64_t>(scale));
}

/// Both quotients by one division; products with the power of two of a scale are exact. Nodes of solids have
/// no inertia, and nothing turns them.
inline Accelerations accelerations_at(const state::Nodal& nodal, std::size_t i) {
  using Pair [[gnu::vector_size(16)]] = double;
  const parallel::LoadSum& loads = nodal.loads[i];
  const double mass = nodal.mass[i], inertia = nodal.inertia[i];
  const auto of = [](const parallel::FixedVector& f, double inverse) {
    const double factor = inverse * inverse_scale(f.scale);
    return Vec3{factor * static_cast<double>(f.sum[0]), factor * static_cast<double>(f.sum[1]),
                factor * static_cast<double>(f.sum[2])};
  };
  if (!(inertia > 0)) return {of(loads.force, mass > 0 ? 1.0 / mass : 0.0), Vec3{}, loads.overflowed()};
  const Pair inverse = Pair{1.0, 1.0} / Pair{mass, inertia};
  return {of(loads.force, mass > 0 ? inverse[0] : 0.0), of(loads.moment, inverse[1]), loads.overflowed()};
}

}  // namespace

NodalUpdate::NodalUpdate(std::span<const char> rigid, bool keep_linear)
    : rigid_(rigid.begin(), rigid.end()), kind_(rigid.size(), kFree), keep_linear_(keep_linear) {
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    if (!rigid[i]) continue;
    kind_[i] = kRigid;
    of_bodies_.push_back(static_cast<LocalId>(i));
  }
}

void NodalUpdate::hold(LocalId node) {
  if (kind_[node] == kHeld) return;
  kind_[node] = kHeld;
  held_.push_back(node);
}

void NodalUpdate::clear_rigid(state::Nodal& nodal) const {
#pragma omp parallel for schedule(static) if (of_bodies_.size() > kNodesForThreads)
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
    const Accelerations a = accelerations_at(nodal, i);
    if (a.overflow) least = std::min(least, nodal.id[i]);
    nodal.a[i] = a.linear;
    nodal.alpha[i] = a.angular;
  };
#pragma omp parallel for schedule(static) reduction(min : overflow) if (ahead_ > kNodesForThreads)
  for (std::size_t i = 0; i < ahead_; ++i) store(i, overflow);
  for (const LocalId n : held_)
    if (const auto i = static_cast<std::size_t>(n); i >= ahead_) store(i, overflow);
  return overflow;
}

/// Of nodes before `end` and of held ones.
double NodalUpdate::advance_stored(state::Nodal& nodal, double dt_v, std::size_t end) const {
  const auto advance = [&](std::size_t i, double& fastest) {
    nodal.v[i] += dt_v * nodal.a[i];
    nodal.w[i] += dt_v * nodal.alpha[i];
    if (!rigid_[i]) fastest = std::max(fastest, dot(nodal.v[i], nodal.v[i]));
    if (!whole_ && !rigid_[i]) nodal.loads[i].clear();
  };
  double fastest = 0.0;
#pragma omp parallel for schedule(static) reduction(max : fastest) if (end > kNodesForThreads)
  for (std::size_t i = 0; i < end; ++i) advance(i, fastest);
  for (const LocalId n : held_)
    if (const auto i = static_cast<std::size_t>(n); i >= end) advance(i, fastest);
  return fastest;
}

/// Of the nodes from `ahead_` on that nothing holds. Bodies will place theirs, and still want the forces.
template <bool kKeepLinear>
NodalUpdate::Advanced NodalUpdate::advance_others(state::Nodal& nodal, double dt_v) const {
  double fastest = 0.0;
  GlobalId overflow = kNoNode;
#pragma omp parallel for schedule(static) reduction(max : fastest) reduction(min : overflow)
  for (std::size_t i = ahead_; i < nodal.size(); ++i) {
    if (kind_[i] == kHeld) continue;
    const Accelerations a = accelerations_at(nodal, i);
    if (a.overflow) overflow = std::min(overflow, nodal.id[i]);
    if (kind_[i] == kRigid) continue;
    if (kKeepLinear) nodal.a[i] = a.linear;
    nodal.v[i] += dt_v * a.linear;
    if (nodal.inertia[i] > 0.0) nodal.w[i] += dt_v * a.angular;
    fastest = std::max(fastest, dot(nodal.v[i], nodal.v[i]));
    nodal.loads[i].clear();
  }
  return {fastest, overflow};
}

NodalUpdate::Advanced NodalUpdate::advance(state::Nodal& nodal, double dt_v) {
  Advanced of_others;
  if (!whole_)
    of_others = keep_linear_ ? advance_others<true>(nodal, dt_v) : advance_others<false>(nodal, dt_v);
  cleared_ = !whole_;
  return {std::sqrt(std::max(of_others.fastest, advance_stored(nodal, dt_v, ahead_))), of_others.overflow};
}

}  // namespace crumple::explicit_dynamics
