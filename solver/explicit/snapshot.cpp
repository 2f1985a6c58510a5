// The snapshot at t_n, stored before the cycle continues.
#include "explicit/solver.hpp"

namespace crumple::explicit_dynamics {

void Solver::keep_now() {
  keep_start();
  if (nodal_update_.whole() || nodal_update_.cleared() || first()) return;
  nodal_update_.accelerate(nodal_, true, 0);
  dependent_nodes_.accelerate();
}

void Solver::keep_start() {
  snapshot_.time = time_;
  snapshot_.dt = dt_;
  snapshot_.cycle = cycle_;
  snapshot_.rotation = rotation_;
  for (auto* rows : {&snapshot_.x, &snapshot_.v, &snapshot_.w}) rows->resize(nodal_.size());
  for (auto* rows : {&snapshot_.v2, &snapshot_.w2}) rows->resize(nodal_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    snapshot_.x[i] = nodal_.x[i];
    snapshot_.v[i] = nodal_.v[i];
    snapshot_.w[i] = nodal_.w[i];
    snapshot_.v2[i] = dot(nodal_.v[i], nodal_.v[i]);
    snapshot_.w2[i] = dot(nodal_.w[i], nodal_.w[i]);
  }
}

/// v_n is the mean of v_{n-1/2} and v_{n+1/2}; at t = 0 it is the initial velocity, also where the first step
/// stops a node at a wall.
void Solver::keep_snapshot(double dt_x) {
  if (first()) {
    snapshot_.dt = dt_x;
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    snapshot_.v2[i] = dot(snapshot_.v[i], nodal_.v[i]);
    snapshot_.w2[i] = dot(snapshot_.w[i], nodal_.w[i]);
    snapshot_.v[i] = 0.5 * (snapshot_.v[i] + nodal_.v[i]);
    snapshot_.w[i] = 0.5 * (snapshot_.w[i] + nodal_.w[i]);
  }
}

}  // namespace crumple::explicit_dynamics
