// Common velocities of tied nodes.
#include "constraints/node_ties.hpp"

namespace crumple::constraints {

namespace {

/// Velocity of the centre of mass, with the additional `impulse`.
Vec3 mean_velocity(const model::NodeTie& tie, const state::Nodal& nodal, const Vec3& impulse) {
  double mass = 0.0;
  Vec3 momentum = impulse;
  for (const LocalId i : tie.nodes) {
    mass += nodal.mass[i];
    momentum += nodal.mass[i] * nodal.v[i];
  }
  return mass > 0.0 ? (1.0 / mass) * momentum : Vec3{};
}

}  // namespace

void NodeTies::initialize(state::Nodal& nodal) const {
  for (const model::NodeTie& tie : model_->node_ties) {
    const Vec3 mean = mean_velocity(tie, nodal, {});
    for (const LocalId i : tie.nodes)
      for (int k = 0; k < 3; ++k)
        if (tie.mask & (1u << k)) nodal.v[i][k] = mean[k];
  }
}

void NodeTies::apply(state::Nodal& nodal, const MasslessNodes& massless, double time, double dt_v) const {
  for (const model::NodeTie& tie : model_->node_ties) {
    if (time >= tie.failure_time) continue;
    Vec3 impulse;
    for (const LocalId i : tie.nodes)
      if (const MasslessNodes::Load* load = massless.load_on(i)) impulse += dt_v * load->force;
    const Vec3 mean = mean_velocity(tie, nodal, impulse);
    for (const LocalId i : tie.nodes)
      for (int k = 0; k < 3; ++k) {
        if (!(tie.mask & (1u << k))) continue;
        nodal.a[i][k] += (mean[k] - nodal.v[i][k]) / dt_v;
        nodal.v[i][k] = mean[k];
      }
  }
}

}  // namespace crumple::constraints
