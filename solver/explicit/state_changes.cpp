// Deletes elements and sets velocities between two steps. What a change of velocities gives to the model
// counts as external work.
#include "explicit/state_changes.hpp"

#include <algorithm>

#include "explicit/solver.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;

namespace {

bool contains(const std::vector<GlobalId>& list, GlobalId id) {
  return std::binary_search(list.begin(), list.end(), id);
}

/// Sets velocities of a rank's nodes; `set` becomes 1 for each.
void apply(const VelocityRule& rule, state::Nodal& nodal, std::vector<char>& set) {
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    if (!rule.all && !contains(rule.nodes, nodal.id[i])) continue;
    nodal.v[i] = rule.turns ? rule.v + cross(rule.w, nodal.x[i] - rule.centre) : rule.v;
    nodal.w[i] = rule.w;
    set[i] = 1;
  }
}

}  // namespace

void Solver::change(const StateChanges& changes) {
  if (changes.deletes())
    elements_->mark_deleted([&](const ElementName& e) {
      return contains(changes.parts, e.part) ||
             (e.kind == ElementKind::shell && contains(changes.shells, e.id)) ||
             (e.kind == ElementKind::solid && contains(changes.solids, e.id)) ||
             (e.kind == ElementKind::beam && contains(changes.beams, e.id));
    });
  if (!changes.moves()) return;
  const double before = kinetic_energy_now();
  std::vector<char> set(nodal_.size(), 0);
  if (changes.rest) apply({true, {}, {}, {}, {}, false}, nodal_, set);
  for (const VelocityRule& rule : changes.velocities) apply(rule, nodal_, set);
  rigid_bodies_.follow_nodes(set, nodal_);
  for (const BodyVelocity& given : changes.bodies)
    for (int b = 0; b < rigid_bodies_.size(); ++b)
      if (subdomain_->model.rigid_bodies[static_cast<std::size_t>(b)].part_id == given.part)
        rigid_bodies_.set_velocity(b, {given.v, given.w}, nodal_);
  work_before_ -= kinetic_energy_now() - before;
  bound_motion();
}

/// Of the velocities at t_{n-1/2}. Collective.
double Solver::kinetic_energy_now() {
  keep_start();
  double energy = global_energies(*comm_, nodal_, {snapshot_.v, snapshot_.w, snapshot_.v2, snapshot_.w2},
                                  counted_, elements_->groups())
                      .kinetic_balance;
  for (int b = 0; b < rigid_bodies_.size(); ++b)
    if (subdomain_->model.rigid_bodies[static_cast<std::size_t>(b)].inertia_given)
      energy += rigid_bodies_.kinetic_energy_now(b);
  return energy;
}

}  // namespace crumple::explicit_dynamics
