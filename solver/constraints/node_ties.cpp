// Common velocities of tied nodes.
#include "constraints/node_ties.hpp"

namespace crumple::constraints {

namespace {

/// Velocity of the centre of mass.
Vec3 mean_velocity(const model::NodeTie& tie, const state::Nodal& nodal) {
  double mass = 0.0;
  Vec3 momentum;
  for (const LocalId i : tie.nodes) {
    mass += nodal.mass[i];
    momentum += nodal.mass[i] * nodal.v[i];
  }
  return (1.0 / mass) * momentum;
}

}  // namespace

void NodeTies::initialize(state::Nodal& nodal) const {
  for (const model::NodeTie& tie : model_->node_ties) {
    const Vec3 mean = mean_velocity(tie, nodal);
    for (const LocalId i : tie.nodes)
      for (int k = 0; k < 3; ++k)
        if (tie.mask & (1u << k)) nodal.v[i][k] = mean[k];
  }
}

void NodeTies::apply(state::Nodal& nodal, double time, double dt_v) const {
  for (const model::NodeTie& tie : model_->node_ties) {
    if (time >= tie.failure_time) continue;
    const Vec3 mean = mean_velocity(tie, nodal);
    for (const LocalId i : tie.nodes)
      for (int k = 0; k < 3; ++k) {
        if (!(tie.mask & (1u << k))) continue;
        nodal.a[i][k] += (mean[k] - nodal.v[i][k]) / dt_v;
        nodal.v[i][k] = mean[k];
      }
  }
}

}  // namespace crumple::constraints
