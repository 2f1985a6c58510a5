// The state of a solver by name: nodes, elements, contact, constraints, modules, time and counters.
//
// Bounds of displacements and speeds of nodes are computed again: they only decide when contacts search. An
// error that ends the run (a force out of range) is no state, nor are the results of a kept cycle.
#include "state/archive.hpp"

#include <array>
#include <cmath>

#include "explicit/solver.hpp"
#include "state/archive_state.hpp"

namespace crumple::explicit_dynamics {

using state::Of;
using state::Rows;

void Solver::archive(state::Archive& archive) {
  const parallel::IndexMap& nodes = subdomain_->nodes;
  state::archive_nodes(archive, nodes, nodal_);
  elements_->archive(archive);
  if (strains_) strains_->archive(archive, subdomain_->model);
  contact_.archive(archive);
  dependent_nodes_.archive(archive);
  tie_springs_.archive(archive);
  breaking_ties_.archive(archive);
  interiors_.archive(archive, comm_->rank());
  rigid_bodies_.archive(archive);
  spot_welds_.archive(archive, nodal_);
  modules_.each(&modules::Module::archive, archive, nodes);
  mass_damping_.archive(archive);
  mass_scaling_.archive(archive, subdomain_->model, nodes);
  archive_clock(archive);
  if (subdomain_->model.control.has_phases()) archive_phase(archive);
  if (stage_ == model::Stage::relaxation) relaxation_.archive(archive, nodes, rigid_bodies_.size());
  if (archive.reading()) bound_motion();
}

/// What the solver itself counts.
void Solver::archive_clock(state::Archive& archive) {
  const auto here = archive.module("solver");
  archive.global("stage", stage_);
  archive.global("time", time_);
  archive.global("dt", dt_);
  archive.global("cycle", cycle_);
  archive.global("first_step", first_step_);
  archive.global("smallest_step", smallest_step_);
  bool has_energy = initial_energy_.has_value();
  double energy = initial_energy_.value_or(0.0);
  archive.global("has_initial_energy", has_energy);
  archive.global("initial_energy", energy);
  archive.global("work_before", work_before_);
  archive.global("damping_before", damping_before_);
  archive.global("weigh_relaxation", weigh_relaxation_);
  archive.global("step_before_run", step_before_run_);
  std::vector<GlobalId> shown, deleted = names_of_deleted(0);
  for (const LocalId n : subdomain_->model.output.history_nodes) shown.push_back(nodal_.id[n]);
  archive.field("rotation", Rows::own(Of::entity, shown), std::span(rotation_));
  archive.list("deleted elements", deleted, 2, [&](auto) { return comm_->root(); });
  deleted_.resize(deleted.size() / 2);
  archive.structs("deleted element", Rows::own(Of::entity, deleted, 2), std::span(deleted_));
  if (!archive.reading()) return;
  if (has_energy)
    initial_energy_ = energy;
  else
    initial_energy_.reset();
}

/// What a run keeps that has implicit parts.
void Solver::archive_phase(state::Archive& archive) {
  const auto here = archive.module("solver");
  static constexpr std::array<GlobalId, 1> only{0};
  archive.global("first_cycle", first_cycle_);
  archive.structs("before", Rows::equal(Of::global, only), std::span(&before_, 1));
}

/// How far nodes have gone and how fast they are, a little more.
void Solver::bound_motion() {
  constexpr double rounding = 1e-6;
  last_speed_ = travelled_ = 0.0;
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    last_speed_ = std::max(last_speed_, (1.0 + rounding) * norm(nodal_.v[i]));
    travelled_ = std::max(travelled_, (1.0 + rounding) * norm(nodal_.x[i] - nodal_.x0[i]));
  }
  last_way_ = dt_ * last_speed_;
}

}  // namespace crumple::explicit_dynamics
