// Stores velocities, damps motion, restores velocities.
#include "explicit/dynamic_relaxation.hpp"

#include <algorithm>

namespace crumple::explicit_dynamics {

void DynamicRelaxation::begin(state::Nodal& nodal, constraints::RigidBodies& bodies) {
  v_ = nodal.v;
  w_ = nodal.w;
  std::ranges::fill(nodal.v, Vec3{});
  std::ranges::fill(nodal.w, Vec3{});
  bodies_ = bodies.velocities();
  bodies.set_velocities(std::vector<constraints::RigidBodies::Velocity>(bodies_.size()), nodal);
}

void DynamicRelaxation::slow_down(double factor, state::Nodal& nodal, constraints::RigidBodies& bodies,
                                  double dt_v) {
  const double rate = (1.0 - factor) / dt_v;
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    nodal.a[i] -= rate * nodal.v[i];
    nodal.alpha[i] -= rate * nodal.w[i];
  }
  for (int b = 0; b < bodies.size(); ++b)
    bodies.add_load(b, -rate * bodies.momentum(b), -rate * bodies.angular_momentum(b));
}

void DynamicRelaxation::end(state::Nodal& nodal, constraints::RigidBodies& bodies) const {
  nodal.v = v_;
  nodal.w = w_;
  bodies.set_velocities(bodies_, nodal);
}

}  // namespace crumple::explicit_dynamics
