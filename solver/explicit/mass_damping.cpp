// Coefficients of nodes, forces and their work.
#include "explicit/mass_damping.hpp"

#include <algorithm>

#include "state/assembly.hpp"

namespace crumple::explicit_dynamics {

using model::kNone;

MassDamping::MassDamping(const model::Model& m, const state::Nodal& nodal, const parallel::Halo& halo,
                         int rank)
    : model_(m), rank_(rank) {
  for (const model::PartDamping& damping : m.part_damping) {
    const state::LumpedMasses of_parts = state::lump_parts(m, damping.parts, halo);
    auto& shares = shares_.emplace_back();
    for (std::size_t n = 0; n < nodal.size(); ++n) {
      if (of_parts.mass[n] == 0 && of_parts.inertia[n] == 0) continue;
      const double inertia = nodal.inertia[n] > 0 ? of_parts.inertia[n] / nodal.inertia[n] : 0.0;
      shares.push_back({static_cast<LocalId>(n), of_parts.mass[n] / nodal.mass[n], inertia});
    }
  }
  if (m.control.mass_damping || !m.part_damping.empty()) rates_.resize(nodal.size());
}

void MassDamping::find_rates(double time) {
  const model::Control& control = model_.control;
  const double everywhere = !control.mass_damping            ? 0.0
                            : control.damping_curve != kNone ? model_.curves[control.damping_curve](time)
                                                             : control.damping_constant;
  active_ = everywhere != 0.0;
  std::fill(rates_.begin(), rates_.end(),
            Rates{everywhere * control.damping_st, everywhere * control.damping_sr});
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    const model::PartDamping& damping = model_.part_damping[k];
    const double d = damping.scale * model_.curves[damping.curve](time);
    if (d == 0.0) continue;
    active_ = true;
    for (const Share& share : shares_[k]) {
      rates_[share.node].translation += d * share.mass * damping.translation;
      rates_[share.node].rotation += d * share.inertia * damping.rotation;
    }
  }
}

void MassDamping::apply(state::Nodal& nodal, std::span<const char> rigid, double time, double dt_v) {
  if (rates_.empty()) return;
  find_rates(time);
  if (!active_) return;
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    const Rates& d = rates_[i];
    if (rigid[i]) {
      Vec3 f;
      for (int k = 0; k < 3; ++k) f[k] = -d.translation[k] * nodal.mass[i] * nodal.v[i][k];
      nodal.add_force(static_cast<LocalId>(i), f);
      if (nodal.owner[i] == rank_) energy_ += -dot(f, nodal.v[i]) * dt_v;
      continue;
    }
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
