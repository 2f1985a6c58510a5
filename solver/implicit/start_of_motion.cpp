// Initial velocities of the implicit solver, and the accelerations that belong to them.
#include <algorithm>

#include "implicit/linear/mass_solution.hpp"
#include "implicit/solver.hpp"

namespace crumple::implicit {

/// Nodes that depend on others give them unknowns where they have mass.
/// @param without_elements other nodes without elements have unknowns, too, if they have mass
void Solver::give_unknowns_to_masses(bool without_elements) {
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const bool needed = without_elements || dependents_.depends(static_cast<LocalId>(n));
    if (needed && dofs_of_point_[n] == 0 && nodal_.mass[n] > 0.0) dofs_of_point_[n] = 3;
  }
  dependents_.raise_unknowns(dofs_of_point_);
}

/// Initial velocities, and the accelerations by the forces at the start. Nodes without elements move, too, if
/// they have mass.
/// @param bodies of rigid bodies
void Solver::start_motion(const std::vector<constraints::RigidBodies::Velocity>& bodies) {
  give_unknowns_to_masses(true);
  std::vector<BodyStart> start;
  for (std::size_t b = 0; b < bodies.size(); ++b) start.push_back({bodies[b], rigid_motions_[b].orientation});
  inertia_.emplace(
      InertiaOf{subdomain_->model, nodal_, point_masses_, dependents_, dofs_of_point_, &consistent_mass_},
      halo_, *comm_, start);
  const double dt = control_->steps.first, end = time_ + dt;
  if (!inertia_->begin(time_, end, {})) return inertia_->rest();
  inertia_->hold(given_in_step(time_, end));
  const std::vector<NodeGiven> given = given_in_step(time_, end);
  inertia_->begin(time_, end, given);  // from the velocities that are left
  // A step so short that only the rates of elements count.
  constexpr double instant = 1e-9;
  Increment motion(nodal_.size());
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    motion.u[n] = instant * dt * inertia_->motion().v[n];
    motion.turn[n] = instant * dt * inertia_->motion().w[n];
  }
  NodalForces forces(points_.size());
  loads_.add(points_, time_, forces);
  const bool sound = elements_.evaluate({nodal_.x, motion, instant * dt, time_}, false, [&](const auto& e) {
    for (std::size_t a = 0; a < e.nodes.size(); ++a)
      for (std::size_t i = 0; i < at(e.dofs); ++i)
        (i < 3 ? forces.force : forces.moment)[at(e.nodes[a])][int(i % 3)] -= e.force[a * at(e.dofs) + i];
  });
  if (sound) start_accelerations(forces, given);  // else the first step says so
}

/// With dependent nodes and consistent masses the mass matrix couples unknowns.
void Solver::start_accelerations(const NodalForces& forces, const std::vector<NodeGiven>& given) {
  if (!masses_are_coupled()) return inertia_->accelerate(forces);
  inertia_in_step_ = true;
  check_given(given);
  hold_unattached();
  number_unknowns(given);
  NodalForces left = inertia_->out_of_balance(forces);
  dependents_.gather(left);
  std::vector<double> r(at(dofs_.equations())), a(r.size());
  dofs_.reduce(left, r);
  linear::BlockMatrix mass = mass_matrix();
  for (double& value : mass.values) value *= inertia_->share();
  linear::solve_with_mass(mass, r, a);
  Increment accelerations(points_.size());
  dofs_.add(1.0, a, accelerations);
  inertia_->accelerate_by(accelerations);
}

/// Along the unknowns, at present positions.
linear::BlockMatrix Solver::mass_matrix() const {
  linear::BlockMatrix mass{&stiffness_.pattern, std::vector<double>(stiffness_.matrix.values.size(), 0.0)};
  std::vector<constraints::Quaternion> orientation;
  for (const RigidMotion& body : rigid_motions_) orientation.push_back(body.orientation);
  point_masses_.add_blocks(orientation, dofs_of_point_, [&](LocalId a, LocalId b, int dofs, const double* m) {
    dofs_.add_block(a, b, dofs, m, mass);
  });
  const auto moves = [&](LocalId n) { return dofs_.free(n).size() > 0 || dependents_.depends(n); };
  consistent_mass_.add_blocks(1.0, [&](LocalId a, LocalId b, int dofs, const double* m) {
    if (moves(a) && moves(b)) dofs_.add_block(a, b, dofs, m, mass);
  });
  return mass;
}

/// Velocities and accelerations at the end of a step take the place of its means.
void Solver::keep_motion() {
  const NodalMotion& motion = inertia_->motion();
  std::copy_n(motion.v.begin(), nodal_.size(), nodal_.v.begin());
  std::copy_n(motion.w.begin(), nodal_.size(), nodal_.w.begin());
  std::copy_n(motion.a.begin(), nodal_.size(), nodal_.a.begin());
  std::copy_n(motion.alpha.begin(), nodal_.size(), nodal_.alpha.begin());
  for (std::size_t b = 0; b < rigid_motions_.size(); ++b) {
    const std::size_t c = at(dependents_.centre(b));
    RigidMotion& body = rigid_motions_[b];
    body.velocity = motion.v[c];
    body.acceleration = motion.a[c];
    body.angular_velocity = motion.w[c];
    body.angular_acceleration = motion.alpha[c];
  }
}

}  // namespace crumple::implicit
