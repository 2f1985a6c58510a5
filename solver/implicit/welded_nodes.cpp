// What the implicit solver does where welds part: groups, their points and unknowns anew.
//
// Groups of welded nodes are the last of its rigid bodies. What they part into takes the places of these and
// of empty ones behind them, in the order of their first nodes.
#include <utility>

#include "implicit/solver.hpp"
#include "implicit/unattached.hpp"

namespace crumple::implicit {

/// Whether a rigid body is an empty place.
bool Solver::is_spare(std::size_t body) const {
  return body >= subdomain_->model.rigid_bodies.size() && rigid_points_[body].nodes.empty();
}

/// At present positions. Their arms begin anew; the masses are those at the start, so that they do not depend
/// on when this is done.
void Solver::regroup_welds() {
  const model::Model& m = subdomain_->model;
  const std::size_t first = m.rigid_bodies.size();
  const std::vector<std::vector<LocalId>> groups = welds_.groups();
  for (std::size_t b = first; b < rigid_points_.size(); ++b) {
    const std::vector<LocalId> nodes = b - first < groups.size() ? groups[b - first] : std::vector<LocalId>{};
    rigid_points_[b] = welded_point(m, nodes, nodal_.x);
    const Vec3 now = rigid_points_[b].point0, start = welded_point(m, nodes, nodal_.x0).point0;
    for (const LocalId p : {dependents_.body_point(b), dependents_.centre(b)}) {
      points_[at(p)] = now;
      points0_[at(p)] = start;
    }
    rigid_motions_[b].centre = now;
    rigid_motions_[b].displacement = now - start;
  }
  dependents_ = DependentNodes(m, rigid_points_, nodal_.x);
  for (const Elements::Deleted& gone : elements_.gone())
    dependents_.delete_element(gone.name.kind, gone.element);
  dependents_.end_at(time_, dt_);
  Increment none(points_.size());
  dependents_.move(points0_, none);
  point_masses_ = PointMasses(m, nodal_, rigid_bodies_, rigid_points_, dependents_);
  dependents_.move(points_, none);
}

/// Between two steps.
void Solver::free_welded_nodes() {
  regroup_welds();
  const std::size_t first = subdomain_->model.rigid_bodies.size();
  for (std::size_t b = first; b < rigid_points_.size(); ++b)
    dofs_of_point_[at(dependents_.body_point(b))] = is_spare(b) ? 0 : 6;
  dependents_.raise_unknowns(dofs_of_point_);
  if (inertia_) give_unknowns_to_masses(true);
  if (control_->relief.active) give_unknowns_to_masses(false);
  if (inertia_) inertia_->regroup_welds(first, points_, dofs_of_point_);
  stiffness_.pattern = {};
  welds_have_parted_ = true;
}

/// Looks again where nothing is stiff: of nodes that are or were welded.
void Solver::hold_welded_nodes() {
  if (!std::exchange(welds_have_parted_, false) || !control_->hold_unattached) return;
  Increment none(points_.size());
  dependents_.move(points_, none);
  const Trial at_rest{points_, none, control_->steps.first, time_};
  const auto found =
      find_unattached(elements_, links_, dependents_, dofs_of_point_, at_rest, control_->unattached);
  if (!found) return;  // the step says so
  const auto look = [&](LocalId p) { unattached_[at(p)] = (*found)[at(p)]; };
  for (const model::Weld& weld : subdomain_->model.welds)
    for (const LocalId n : weld.nodes) look(n);
  for (std::size_t b = subdomain_->model.rigid_bodies.size(); b < rigid_points_.size(); ++b)
    look(dependents_.body_point(b));
  n_unattached_ = 0;
  for (const NodeFreedoms& held : unattached_) n_unattached_ += held.size();
  stiffness_.pattern = {};
}

/// Before points and unknowns, which are those of the groups.
void Solver::archive_welds(state::Archive& archive) {
  if (!welds_.can_break()) return;
  welds_.archive(archive);
  if (archive.reading()) regroup_welds();
  const auto here = archive.module("welds");
  archive.global("have parted", welds_have_parted_);
}

}  // namespace crumple::implicit
