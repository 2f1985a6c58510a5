// Coefficients of nodes, forces and their work.
#include "explicit/mass_damping.hpp"

#include <algorithm>

namespace crumple::explicit_dynamics {

using model::kNone;

namespace {

Vec3 by_axis(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace

MassDamping::MassDamping(const model::Model& m, const state::Nodal& nodal, const parallel::Halo& halo,
                         const parallel::Communicator& comm)
    : model_(m), rank_(comm.rank()) {
  for (const model::PartDamping& damping : m.part_damping) {
    const state::LumpedMasses of_parts = state::lump_parts(m, damping.parts, halo);
    auto& shares = shares_.emplace_back();
    for (std::size_t n = 0; n < nodal.size(); ++n) {
      if (of_parts.mass[n] == 0 && of_parts.inertia[n] == 0) continue;
      const double inertia = nodal.inertia[n] > 0 ? of_parts.inertia[n] / nodal.inertia[n] : 0.0;
      shares.push_back({static_cast<LocalId>(n), of_parts.mass[n] / nodal.mass[n], inertia});
    }
    measure_bodies(of_parts, nodal, comm);
  }
  if (!m.control.mass_damping && m.part_damping.empty()) return;
  rates_.resize(nodal.size());
  body_rates_.resize(m.rigid_bodies.size());
}

void MassDamping::follow(const state::Transfer& transfer, const std::vector<double>& own,
                         const state::Nodal& nodal) {
  for (std::vector<Share>& shares : shares_) {
    std::vector<double> damped(own.size(), 0.0), inertia(own.size(), 0.0);
    for (const Share& share : shares) {
      damped[share.node] = share.mass * own[share.node];
      inertia[share.node] = share.inertia;
    }
    const std::vector<double> now = transfer(damped);
    shares.clear();
    for (std::size_t n = 0; n < own.size(); ++n) {
      const bool moved = nodal.mass[n] != own[n] && nodal.mass[n] > 0.0;
      const double mass = moved ? now[n] / nodal.mass[n] : own[n] > 0.0 ? damped[n] / own[n] : 0.0;
      if (mass > 0.0 || inertia[n] > 0.0) shares.push_back({static_cast<LocalId>(n), mass, inertia[n]});
    }
  }
}

/// Fraction of the mass of a body's nodes that belongs to damped parts. Collective.
void MassDamping::measure_bodies(const state::LumpedMasses& of_parts, const state::Nodal& nodal,
                                 const parallel::Communicator& comm) {
  const std::size_t n = model_.rigid_bodies.size();
  std::vector<parallel::ExactSum> sums(2 * n);
  for (std::size_t b = 0; b < n; ++b)
    for (const LocalId i : model_.rigid_bodies[b].nodes)
      if (nodal.owner[i] == rank_) sums[2 * b] += of_parts.mass[i], sums[2 * b + 1] += nodal.mass[i];
  parallel::ExactSum::reduce(comm, sums);
  std::vector<double>& shares = body_shares_.emplace_back();
  for (std::size_t b = 0; b < n; ++b) {
    const double all = sums[2 * b + 1].value();
    shares.push_back(all > 0.0 ? sums[2 * b].value() / all : 0.0);
  }
}

void MassDamping::find_rates(double time) {
  const model::Control& control = model_.control;
  const double everywhere = !control.mass_damping            ? 0.0
                            : control.damping_curve != kNone ? model_.curves[control.damping_curve](time)
                                                             : control.damping_constant;
  active_ = everywhere != 0.0;
  for (std::vector<Rates>* const rates : {&rates_, &body_rates_})
    std::ranges::fill(*rates, Rates{everywhere * control.damping_st, everywhere * control.damping_sr});
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    const model::PartDamping& damping = model_.part_damping[k];
    const double d = damping.scale * model_.curves[damping.curve](time);
    if (d == 0.0) continue;
    active_ = true;
    for (const Share& share : shares_[k]) {
      rates_[share.node].translation += d * share.mass * damping.translation;
      rates_[share.node].rotation += d * share.inertia * damping.rotation;
    }
    for (std::size_t b = 0; b < body_rates_.size(); ++b) {
      body_rates_[b].translation += d * body_shares_[k][b] * damping.translation;
      body_rates_[b].rotation += d * body_shares_[k][b] * damping.rotation;
    }
  }
}

/// Every rank damps all bodies in the same way; one rank counts the energy.
void MassDamping::damp_body(int b, constraints::RigidBodies& bodies, double dt_v) {
  const Rates& d = body_rates_[b];
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
    const Rates& d = rates_[i];
    for (int k = 0; k < 3; ++k) {
      nodal.a[i][k] =
          (nodal.a[i][k] - d.translation[k] * nodal.v[i][k]) / (1.0 + 0.5 * d.translation[k] * dt_v);
      nodal.alpha[i][k] =
          (nodal.alpha[i][k] - d.rotation[k] * nodal.w[i][k]) / (1.0 + 0.5 * d.rotation[k] * dt_v);
    }
  }
}

void MassDamping::count(const state::Nodal& nodal, std::span<const char> rigid, double dt_v) {
  if (!active_) return;
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    if (nodal.owner[i] != rank_ || rigid[i]) continue;
    const Vec3 v = nodal.v[i] + 0.5 * dt_v * nodal.a[i], w = nodal.w[i] + 0.5 * dt_v * nodal.alpha[i];
    double power = 0.0;
    for (int k = 0; k < 3; ++k)
      power += rates_[i].translation[k] * nodal.mass[i] * v[k] * v[k] +
               rates_[i].rotation[k] * nodal.inertia[i] * w[k] * w[k];
    energy_ += power * dt_v;
  }
}

}  // namespace crumple::explicit_dynamics
