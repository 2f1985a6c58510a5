// Coefficients of nodes, forces and their work.
#include "explicit/mass_damping.hpp"

#include <algorithm>

#include "state/archive.hpp"

namespace crumple::explicit_dynamics {

using model::kNone;

namespace {

Vec3 by_axis(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace

MassDamping::MassDamping(const model::Model& m, const DependentNodes& nodes, const parallel::Halo& halo,
                         const parallel::Communicator& comm)
    : model_(m), rank_(comm.rank()) {
  const state::LumpedMasses& own = nodes.own();
  for (const model::PartDamping& damping : m.part_damping) {
    const state::LumpedMasses of_parts = state::lump_parts(m, damping.parts, halo);
    shares_.push_back(state::damped_nodes(of_parts, own.mass, own.inertia));
    body_shares_.push_back(state::damped_bodies(m, of_parts, own.mass, nodes.nodal().owner, comm));
  }
  if (!state::has_mass_damping(m)) return;
  rates_.resize(own.mass.size());
  body_rates_.resize(m.rigid_bodies.size());
  follow(nodes);
}

/// Shares of the masses that nodes have where they act. Collective.
void MassDamping::follow(const DependentNodes& nodes) {
  const std::vector<double>& own = nodes.own().mass;
  const state::Nodal& nodal = nodes.nodal();
  for (std::vector<state::DampedShare>& shares : shares_) {
    std::vector<double> damped(own.size(), 0.0), inertia(own.size(), 0.0);
    for (const state::DampedShare& share : shares) {
      damped[share.of] = share.mass * own[share.of];
      inertia[share.of] = share.inertia;
    }
    const std::vector<double> now = nodes.transferred(damped);
    shares.clear();
    for (std::size_t n = 0; n < own.size(); ++n) {
      const bool moved = nodal.mass[n] != own[n] && nodal.mass[n] > 0.0;
      const double mass = moved ? now[n] / nodal.mass[n] : own[n] > 0.0 ? damped[n] / own[n] : 0.0;
      if (mass > 0.0 || inertia[n] > 0.0) shares.push_back({static_cast<LocalId>(n), mass, inertia[n]});
    }
  }
}

void MassDamping::find_rates(double time) {
  const bool nodes = state::find_damping_rates(model_, time, shares_, rates_);
  const bool bodies = state::find_damping_rates(model_, time, body_shares_, body_rates_);
  active_ = nodes || bodies;
}

/// Every rank damps all bodies in the same way; one rank counts the energy.
void MassDamping::damp_body(int b, constraints::RigidBodies& bodies, double dt_v) {
  const state::DampingRates& d = body_rates_[b];
  const Vec3 force = -by_axis(d.translation, bodies.momentum(b));
  const Vec3 moment = -by_axis(d.rotation, bodies.angular_momentum(b));
  bodies.add_load(b, force, moment);
  const constraints::RigidBodyState state = bodies.state(b);
  if (rank_ == 0) energy_ += -(dot(force, state.velocity) + dot(moment, state.angular_velocity)) * dt_v;
}

/// Whether a node's damping acts on its rigid body.
bool MassDamping::pulls(const constraints::RigidBodies& bodies, LocalId node) const {
  const LocalId body = bodies.body_of(node);
  return body != kNone && !model_.rigid_bodies[body].inertia_given;
}

Vec3 MassDamping::drag(const state::Nodal& nodal, LocalId node) const {
  return -nodal.mass[node] * by_axis(rates_[node].translation, nodal.v[node]);
}

void MassDamping::pull(state::Nodal& nodal, const constraints::RigidBodies& bodies, double time) {
  if (rates_.empty()) return;
  find_rates(time);
  if (!active_) return;
  for (LocalId n = 0; n < static_cast<LocalId>(nodal.size()); ++n)
    if (pulls(bodies, n)) nodal.add_force(n, drag(nodal, n));
}

void MassDamping::apply(state::Nodal& nodal, constraints::RigidBodies& bodies, double dt_v) {
  if (!active_) return;
  for (int b = 0; b < bodies.size(); ++b)
    if (model_.rigid_bodies[b].inertia_given) damp_body(b, bodies, dt_v);
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    const auto n = static_cast<LocalId>(i);
    if (pulls(bodies, n) && nodal.owner[i] == rank_) energy_ += -dot(drag(nodal, n), nodal.v[i]) * dt_v;
    if (bodies.is_rigid(n)) continue;
    const state::DampingRates& d = rates_[i];
    for (int k = 0; k < 3; ++k) {
      nodal.a[i][k] =
          (nodal.a[i][k] - d.translation[k] * nodal.v[i][k]) / (1.0 + 0.5 * d.translation[k] * dt_v);
      nodal.alpha[i][k] =
          (nodal.alpha[i][k] - d.rotation[k] * nodal.w[i][k]) / (1.0 + 0.5 * d.rotation[k] * dt_v);
    }
  }
}

/// Coefficients are of one cycle.
void MassDamping::archive(state::Archive& archive) {
  if (!asked()) return;
  const auto here = archive.module("mass damping");
  archive.global_sum("energy", energy_, rank_);
}

void MassDamping::count(const state::Nodal& nodal, std::span<const char> rigid, double dt_v) {
  if (!active_) return;
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    if (nodal.owner[i] != rank_ || rigid[i]) continue;
    const Vec3 v = nodal.v[i] - 0.5 * dt_v * nodal.a[i], w = nodal.w[i] - 0.5 * dt_v * nodal.alpha[i];
    double power = 0.0;
    for (int k = 0; k < 3; ++k)
      power += rates_[i].translation[k] * nodal.mass[i] * v[k] * v[k] +
               rates_[i].rotation[k] * nodal.inertia[i] * w[k] * w[k];
    energy_ += power * dt_v;
  }
}

}  // namespace crumple::explicit_dynamics
