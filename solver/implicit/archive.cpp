// The state of the implicit solver by name: nodes, elements, contacts, modules, inertia, unknowns and clocks.
//
// The pattern of the stiffness, and the ordering of its factor, come from the step in which unknowns were
// numbered last. Both are made again from what they were made of, so that the bits of later solutions are
// those of a run that was never stopped. The factor itself is made again from the matrix, which is only in
// the state where later steps may use it (ISTIF > 1). What deletions have ended is known from the elements.
#include "state/archive.hpp"

#include <array>

#include "implicit/solver.hpp"
#include "state/archive_state.hpp"

namespace crumple::implicit {

using state::Of;
using state::Rows;

namespace {

/// Directions in which something is given, for an archive.
struct SavedDirections {
  std::int32_t count = 0, moved = 0;
  std::array<Vec3, 3> axis{};
};
CRUMPLE_MEMBERS(SavedDirections, count, moved, axis)

struct SavedNode {
  SavedDirections translation, rotation;
};
CRUMPLE_MEMBERS(SavedNode, translation, rotation)

SavedDirections saved(const constraints::Directions& of, int moved = 0) {
  SavedDirections to{of.count, moved, {}};
  for (int k = 0; k < of.count; ++k) to.axis[at(k)] = of.axis[at(k)];
  return to;
}

constraints::Directions directions(const SavedDirections& from) {
  constraints::Directions to;
  to.count = from.count;
  for (int k = 0; k < from.count; ++k) to.axis[at(k)] = from.axis[at(k)];
  return to;
}

constexpr std::array<GlobalId, 1> kOnly{0};

bool all(std::span<const GlobalId>) { return true; }

}  // namespace

void Inertia::archive(state::Archive& archive) {
  const auto here = archive.module("inertia");
  const std::vector<GlobalId> points = state::numbered(now_.v.size());
  const Rows rows = Rows::own(Of::entity, points);
  archive.field("velocity", rows, std::span<Vec3>(now_.v));
  archive.field("angular velocity", rows, std::span<Vec3>(now_.w));
  archive.field("acceleration", rows, std::span<Vec3>(now_.a));
  archive.field("angular acceleration", rows, std::span<Vec3>(now_.alpha));
  archive.field("force taken", rows, std::span<Vec3>(now_.taken.force));
  archive.field("moment taken", rows, std::span<Vec3>(now_.taken.moment));
  archive.field("drag force", rows, std::span<Vec3>(now_.drag.force));
  archive.field("drag moment", rows, std::span<Vec3>(now_.drag.moment));
  const std::vector<GlobalId> bodies = state::numbered(now_.bodies.size());
  archive.structs("body", Rows::own(Of::entity, bodies), std::span(now_.bodies));
  archive.global("share", share_);
  archive.global("damping energy", damping_energy_);
}

void Supports::archive(state::Archive& archive) {
  const auto here = archive.module("implicit supports");
  const std::vector<GlobalId> keys = state::numbered(driven_.size());
  std::vector<std::uint8_t> known;
  std::vector<Vec3> position;
  for (const Driven& driven : driven_) {
    known.push_back(driven.begin.known ? 1 : 0);
    position.push_back(driven.begin.position);
  }
  archive.field("known", Rows::equal(Of::entity, keys), std::span(known));
  archive.field("position", Rows::equal(Of::entity, keys), std::span(position));
  for (std::size_t k = 0; k < driven_.size(); ++k) driven_[k].begin = {known[k] != 0, position[k]};
}

void Solver::archive(state::Archive& archive) {
  const parallel::IndexMap& nodes = subdomain_->nodes;
  state::archive_nodes(archive, nodes, nodal_);
  elements_.archive(archive);
  archive_welds(archive);
  if (archive.reading()) end_with_elements(elements_.gone());
  if (strains_) strains_->archive(archive, subdomain_->model);
  contacts_.archive(archive);
  links_.archive(archive);
  modules_.each(&modules::Module::archive, archive, nodes);
  supports_.archive(archive);
  if (inertia_) inertia_->archive(archive);
  const auto here = archive.module("implicit solver");
  archive_clock(archive);
  archive_points(archive);
  archive_lists(archive);
  archive_unknowns(archive);
  archive_factor(archive);
}

void Solver::archive_clock(state::Archive& archive) {
  archive.global("time", time_);
  archive.global("dt", dt_);
  archive.global("cycle", cycle_);
  archive.global("first cycle", first_cycle_);
  archive.global("initial energy", initial_energy_);
  archive.structs("before", Rows::equal(Of::global, kOnly), std::span(&before_, 1));
  archive.global("body work", body_work_);
  archive.global("work of ended drives", work_of_ended_drives_);
  archive.global("displacement", references_.displacement.first);
  archive.global("rotation", references_.displacement.second);
  archive.global("load", path_.load);
  archive.global("speed", path_.speed);
  archive.global("looked for unattached", looked_for_unattached_);
  archive.global("unattached", n_unattached_);
  archive.global("factored", factored_);
  archive.global("steps since factor", steps_since_factor_);
  archive.global("factored inertia", factored_inertia_);
}

/// Nodes, points of bodies and centres, in this order.
void Solver::archive_points(state::Archive& archive) {
  const std::vector<GlobalId> keys = state::numbered(points_.size());
  const Rows rows = Rows::own(Of::entity, keys);
  archive.field("point", rows, std::span(points_));
  archive.field("unknowns", rows, std::span(dofs_of_point_));  // elements may have been deleted since
  archive.field("load force", rows, std::span<Vec3>(on_bodies_.force));
  archive.field("load moment", rows, std::span<Vec3>(on_bodies_.moment));
  std::vector<SavedNode> held;
  for (const NodeFreedoms& of : unattached_) held.push_back({saved(of.translation), saved(of.rotation)});
  archive.structs("held", rows, std::span(held));
  bool moved = !last_moved_.empty();
  archive.global("has moved", moved);
  if (moved) {
    last_moved_.resize(points_.size());
    archive.field("moved", rows, std::span<Vec3>(last_moved_));
  }
  if (!archive.reading()) return;
  for (std::size_t p = 0; p < held.size(); ++p)
    unattached_[p] = {directions(held[p].translation), directions(held[p].rotation)};
}

void Solver::archive_lists(state::Archive& archive) {
  std::vector<GlobalId> shown, bodies = state::numbered(rigid_motions_.size()), deleted;
  for (const LocalId n : subdomain_->model.output.history_nodes) shown.push_back(nodal_.id[at(n)]);
  archive.field("rotation of nodes", Rows::own(Of::entity, shown), std::span(rotation_));
  archive.structs("body", Rows::own(Of::entity, bodies), std::span(rigid_motions_));
  std::vector<GlobalId> ties = state::numbered(tie_forces_.size());
  archive.field("tie force", Rows::own(Of::entity, ties), std::span(tie_forces_));
  for (const DeletedElement& e : deleted_)
    deleted.insert(deleted.end(), {static_cast<GlobalId>(e.name.kind), e.name.id});
  archive.list("deleted elements", deleted, 2, all);
  deleted_.resize(deleted.size() / 2);
  archive.structs("deleted element", Rows::own(Of::entity, deleted, 2), std::span(deleted_));
  for (auto* const list : {&drives_, &reactions_}) {
    const auto here = archive.module(list == &drives_ ? "drives" : "reactions");
    std::vector<GlobalId> points;
    for (const Reaction& r : *list) points.push_back(r.node);
    archive.list("points", points, 1, all);
    list->resize(points.size());
    archive.structs("reaction", Rows::own(Of::entity, points), std::span(*list));
  }
}

/// How the unknowns are numbered, and where the ordering comes from.
void Solver::archive_unknowns(state::Archive& archive) {
  bool has_pattern = !stiffness_.pattern.start.empty();
  archive.global("has pattern", has_pattern);
  if (!has_pattern) return;
  archive.global("numbered with inertia", numbered_with_inertia_);
  std::vector<GlobalId> points;
  std::vector<SavedNode> given;
  for (const NodeGiven& g : numbered_for_) {
    points.push_back(g.node);
    given.push_back(
        {saved(g.translation.along, g.translation.moved), saved(g.rotation.along, g.rotation.moved)});
  }
  archive.list("given points", points, 1, all);
  given.resize(points.size());
  archive.structs("given", Rows::own(Of::entity, points), std::span(given));
  analysed_at_.resize(points_.size());
  const std::vector<GlobalId> keys = state::numbered(points_.size());
  archive.field("analysed at", Rows::own(Of::entity, keys), std::span(analysed_at_));
  if (!archive.reading()) return;
  std::vector<NodeGiven> numbered;
  for (std::size_t k = 0; k < points.size(); ++k) {
    NodeGiven& g = numbered.emplace_back();
    g.node = static_cast<LocalId>(points[k]);
    g.translation.along = directions(given[k].translation);
    g.translation.moved = given[k].translation.moved;
    g.rotation.along = directions(given[k].rotation);
    g.rotation.moved = given[k].rotation.moved;
  }
  inertia_in_step_ = numbered_with_inertia_;
  const bool factored = factored_;
  renumber(numbered);
  analyse(true);
  factored_ = factored;
}

void Solver::archive_factor(state::Archive& archive) {
  const bool used_again = factored_ && steps_since_factor_ < control_->iterations.steps_between_reforms;
  if (!used_again) return;
  const std::vector<GlobalId> keys = state::numbered(stiffness_.matrix.values.size());
  archive.field("matrix", Rows::own(Of::entity, keys), std::span(stiffness_.matrix.values));
  if (archive.reading() && dofs_.equations() > 0) linear_->factor(stiffness_.matrix);
}

}  // namespace crumple::implicit
