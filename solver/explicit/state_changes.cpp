// Deletes elements and sets velocities between two steps. What a change of velocities gives to the model
// counts as external work.
#include "explicit/state_changes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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
    elements_->mark_deleted(
        [&](const ElementName& e) {
          return contains(changes.parts, e.part) ||
                 (e.kind == ElementKind::shell && contains(changes.shells, e.id)) ||
                 (e.kind == ElementKind::solid && contains(changes.solids, e.id)) ||
                 (e.kind == ElementKind::beam && contains(changes.beams, e.id));
        },
        DeletionCause::restart);
  if (!changes.moves()) return;
  const double before = energy_of_given_bodies();
  kick_.emplace(NodeKick{nodal_.v, nodal_.w, {}, {}});
  std::vector<char> set(nodal_.size(), 0);
  if (changes.rest) apply({true, {}, {}, {}, {}, false}, nodal_, set);
  for (const VelocityRule& rule : changes.velocities) apply(rule, nodal_, set);
  rigid_bodies_.follow_nodes(set, nodal_);
  for (const BodyVelocity& given : changes.bodies)
    for (int b = 0; b < rigid_bodies_.size(); ++b)
      if (subdomain_->model.rigid_bodies[static_cast<std::size_t>(b)].part_id == given.part)
        rigid_bodies_.set_velocity(b, {given.v, given.w}, nodal_);
  work_before_ -= energy_of_given_bodies() - before;
  bound_motion();
  // The nodes' velocities must wait for the forces of the next step, which are of the strains so far.
  kick_->v_after = nodal_.v;
  kick_->w_after = nodal_.w;
  nodal_.v = kick_->v_before;
  nodal_.w = kick_->w_before;
}

/// Velocities at t_{n-1/2} become those that a change has asked for. @returns whether there was one
bool Solver::change_velocities() {
  if (!kick_) return false;
  nodal_.v = kick_->v_after;
  nodal_.w = kick_->w_after;
  return true;
}

/// The kinetic energy that central differences conserve is v_{n-1/2} . m v_{n+1/2} / 2: what it has gained at
/// t_n by the change, with the same accelerations, counts as external work. Collective.
void Solver::count_kick() {
  const std::optional<NodeKick> kick = std::exchange(kick_, std::nullopt);
  if (!kick) return;
  parallel::ExactSum gained;
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    if (nodal_.owner[i] != comm_->rank() || !counted_[i]) continue;
    const Vec3 &v = kick->v_before[i], &w = kick->w_before[i];
    const Vec3 dv = nodal_.v[i] - kick->v_after[i], dw = nodal_.w[i] - kick->w_after[i];
    gained += 0.5 * nodal_.mass[i] * (dot(kick->v_after[i], nodal_.v[i]) - dot(v, v + dv));
    gained += 0.5 * nodal_.inertia[i] * (dot(kick->w_after[i], nodal_.w[i]) - dot(w, w + dw));
  }
  parallel::ExactSum::reduce(*comm_, std::span(&gained, 1));
  work_before_ -= gained.value();
}

/// Kinetic energy at t_{n-1/2} of bodies whose mass properties were given, in which masses of nodes do not
/// count.
double Solver::energy_of_given_bodies() const {
  double energy = 0.0;
  for (int b = 0; b < rigid_bodies_.size(); ++b)
    if (const auto& body = subdomain_->model.rigid_bodies[static_cast<std::size_t>(b)];
        body.inertia_given || !body.lumps.empty())
      energy += rigid_bodies_.kinetic_energy_now(b);
  return energy;
}

}  // namespace crumple::explicit_dynamics
