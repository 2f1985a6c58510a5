// Forces on nodes and bodies, and what they dissipate.
#include "loads/relative_damping/relative_dampings.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "loads/load_curve.hpp"
#include "state/archive.hpp"
#include "state/assembly.hpp"

namespace crumple::loads {

RelativeDampings::RelativeDampings(const modules::Start& start)
    : model_(&start.model),
      comm_(&start.comm),
      all_(&start.model.features.of<RelativeDamping>()),
      on_bodies_(all_->size()) {
  const state::Nodal& nodal = start.nodal;
  for (const RelativeDamping& damping : *all_) {
    const std::vector<double> before = state::lump_parts(start.model, damping.parts, start.halo).mass;
    const std::vector<double> after = start.transfer(before);
    auto& shares = shares_.emplace_back();
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      // A node on which others are tied has their mass, too.
      const bool moved = nodal.mass[i] != start.own_mass[i];
      const double part = moved ? after[i] : before[i];
      if (part > 0.0 && nodal.mass[i] > 0.0)
        shares.push_back({static_cast<LocalId>(i), std::min(1.0, part / nodal.mass[i]), {}});
    }
  }
}

std::unique_ptr<modules::Module> RelativeDampings::start(const modules::Start& start) {
  if (start.model.features.of<RelativeDamping>().empty()) return nullptr;
  return std::make_unique<RelativeDampings>(start);
}

void RelativeDampings::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const auto& shares : shares_)
    for (const Share& share : shares) nodes.push_back(share.node);
}

void RelativeDampings::damp(std::size_t k, modules::Cycle& cycle) {
  const RelativeDamping& damping = (*all_)[k];
  const double fraction = damping.curve == model::kNone
                              ? damping.fraction
                              : load_value(*model_, damping.curve, cycle.time, cycle.stage);
  const double rate = 4.0 * std::numbers::pi * fraction * damping.frequency;
  const constraints::RigidBodyState body = cycle.bodies.state(damping.body);
  state::Nodal& nodal = cycle.nodal;
  std::array<parallel::ExactSum, 6> sums;
  for (Share& share : shares_[k]) {
    const std::size_t i = at(share.node);
    const LocalId of = cycle.bodies.body_of(share.node);
    share.acceleration = {};
    if (of == damping.body || (of != model::kNone && model_->rigid_bodies[at(of)].inertia_given)) continue;
    const Vec3 arm = nodal.x[i] - body.position;
    const Vec3 relative = nodal.v[i] - body.velocity - cross(body.angular_velocity, arm);
    share.acceleration = -(rate * share.mass) * relative;
    const Vec3 force = nodal.mass[i] * share.acceleration, moment = cross(arm, force);
    if (of != model::kNone) nodal.add_force(share.node, force);
    if (nodal.owner[i] != comm_->rank()) continue;
    for (int a = 0; a < 3; ++a) {
      sums[static_cast<std::size_t>(a)] += -force[a];
      sums[static_cast<std::size_t>(a) + 3] += -moment[a];
    }
  }
  parallel::ExactSum::reduce(*comm_, sums);
  Load& load = on_bodies_[k];
  for (int a = 0; a < 3; ++a) {
    load.force[a] = sums[static_cast<std::size_t>(a)].value();
    load.moment[a] = sums[static_cast<std::size_t>(a) + 3].value();
  }
  cycle.bodies.add_load(damping.body, load.force, load.moment);
}

void RelativeDampings::pull(modules::Cycle& cycle) {
  for (std::size_t k = 0; k < all_->size(); ++k) damp(k, cycle);
}

void RelativeDampings::accelerate(modules::Cycle& cycle) {
  for (const auto& shares : shares_)
    for (const Share& share : shares)
      if (!cycle.bodies.is_rigid(share.node)) cycle.nodal.a[at(share.node)] += share.acceleration;
}

/// Every rank has the body; one counts.
void RelativeDampings::count_body_work(modules::Cycle& cycle) {
  if (!comm_->root()) return;
  for (std::size_t k = 0; k < all_->size(); ++k) {
    const constraints::Kick& kick = cycle.bodies.kick((*all_)[k].body);
    damped_ += -0.5 * cycle.dt_v *
               (dot(on_bodies_[k].force, kick.v_before + kick.v_after) +
                dot(on_bodies_[k].moment, kick.w_before + kick.w_after));
  }
}

/// With the velocity in the middle, after everything else has changed it.
void RelativeDampings::count_work(modules::Cycle& cycle) {
  const state::Nodal& nodal = cycle.nodal;
  for (const auto& shares : shares_)
    for (const Share& share : shares) {
      const std::size_t i = at(share.node);
      if (nodal.owner[i] != comm_->rank()) continue;
      const Vec3 v = nodal.v[i] - (0.5 * cycle.dt_v) * nodal.a[i];
      damped_ += -(cycle.dt_v * nodal.mass[i]) * dot(share.acceleration, v);
    }
}

/// Forces are of one cycle.
void RelativeDampings::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("relative damping");
  archive.global_sum("energy", damped_, comm_->rank());
}

}  // namespace crumple::loads
