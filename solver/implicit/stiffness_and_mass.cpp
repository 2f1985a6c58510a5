// The matrices of free vibration and of buckling about the present state.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "implicit/solver.hpp"

namespace crumple::implicit {

namespace {

double largest_force(const NodalForces& forces) {
  double largest = 0.0;
  for (const Vec3& f : forces.force) largest = std::max(largest, norm(f));
  return largest;
}

}  // namespace

FreeVibration Solver::free_vibration(double dt) {
  elements_.begin_step(time_ + dt, dt, stage_);
  hold_unattached();
  inertia_in_step_ = false;
  start_contacts(time_ + dt);
  const std::vector<NodeGiven> given = given_in_step(time_, time_ + dt);
  check_given(given);
  number_unknowns(given);
  if (!contacts_.in_pattern()) analyse();
  const Increment none(points_.size());
  StepEquations equations(input(none, time_ + dt));
  if (!equations.assemble(StepEquations::Parts::rest))
    throw Error("CR-I303", "free vibration: " + describe({.trouble = Trouble::broken}), {}, Exit::run);
  factored_ = false;
  FreeVibration of{&stiffness_.matrix, {}, {}, linear_.get(), &dofs_};
  if (masses_are_coupled()) {
    of.coupled_mass = mass_matrix();
    of.mass = of.coupled_mass->diagonal();
    return of;
  }
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const NodeFreedoms& node = dofs_.free(static_cast<LocalId>(n));
    of.mass.insert(of.mass.end(), at(node.translation.count), nodal_.mass[n]);
    of.mass.insert(of.mass.end(), at(node.rotation.count), nodal_.inertia[n]);
  }
  return of;
}

Prestressed Solver::prestressed(double dt) {
  start_contacts(time_ + dt);
  inertia_in_step_ = false;
  number_unknowns(given_in_step(time_, time_ + dt));
  if (!contacts_.in_pattern()) analyse();
  const Increment none(points_.size());
  StepEquations equations(input(none, time_ + dt));
  equations.load_to(by_arc_length() ? path_.load : time_);
  const auto assemble = [&](StepEquations::Parts parts) {
    if (!equations.assemble(parts))
      throw Error("CR-I303", "buckling: " + describe({.trouble = Trouble::broken}), {}, Exit::run);
    return stiffness_.matrix;
  };
  Prestressed of;
  of.stress = assemble(StepEquations::Parts::all);
  const double stressed = largest_force(equations.internal());
  of.stiffness = assemble(StepEquations::Parts::unstressed);
  check_unstressed(equations.internal(), stressed);
  for (std::size_t i = 0; i < of.stress.values.size(); ++i) of.stress.values[i] -= of.stiffness.values[i];
  of.solver = linear_.get();
  factored_ = false;
  return of;
}

/// Springs keep their forces; of other elements none are left unless a law computes stress from the strain.
void Solver::check_unstressed(const NodalForces& internal, double stressed) const {
  constexpr double rounding = 1e-6;
  std::vector<char> at_spring(nodal_.size(), 0);
  for (const auto& nodes : subdomain_->model.discretes.nodes)
    for (const LocalId n : nodes)
      if (n != model::kNone) at_spring[at(n)] = 1;
  for (std::size_t n = 0; n < nodal_.size(); ++n)
    if (!at_spring[n] && norm(internal.force[n]) > rounding * stressed)
      throw Error(
          "CR-I306",
          fmt::format("buckling: the law of an element at node {} computes stress from the whole strain, so "
                      "that the stiffness without stress cannot be told apart",
                      nodal_.id[n]),
          {}, Exit::run);
}

Increment Solver::motion_of(std::span<const double> along) const {
  Increment motion(points_.size());
  dofs_.add(1.0, along, motion);
  dependents_.follow(motion.u, motion.turn);
  return motion;
}

}  // namespace crumple::implicit
