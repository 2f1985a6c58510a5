// Which motions of which points are unknown in a step, and the pattern of their equations.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "implicit/solver.hpp"
#include "implicit/unattached.hpp"

namespace crumple::implicit {

using constraints::Directions;

namespace {

bool same(const Directions& a, const Directions& b) {
  return a.count == b.count && std::equal(a.axis.begin(), a.axis.begin() + a.count, b.axis.begin());
}

/// Whether the same directions are given, whatever the values.
bool same(const std::vector<NodeGiven>& a, const std::vector<NodeGiven>& b) {
  return std::ranges::equal(a, b, [](const NodeGiven& p, const NodeGiven& q) {
    return p.node == q.node && same(p.translation.along, q.translation.along) &&
           same(p.rotation.along, q.rotation.along);
  });
}

void add_all(const Directions& from, Directions& to) {
  for (int k = 0; k < from.count; ++k) to.add(from.axis[at(k)]);
}

}  // namespace

void Solver::list_points() {
  dependents_ = DependentNodes(subdomain_->model, rigid_points_, nodal_.x);
  links_ = AllLinks({subdomain_->model, nodal_, rigid_points_, dependents_, newton_.size});
  points_.assign(nodal_.x.begin(), nodal_.x.end());
  for (const RigidPoint& body : rigid_points_) points_.push_back(body.point0);
  for (const RigidPoint& body : rigid_points_) {
    points_.push_back(body.centre0);
    RigidMotion& motion = rigid_motions_.emplace_back();
    motion.centre = body.centre0;
  }
  points0_ = points_;
  list_unknowns();
  unattached_.resize(points_.size());
  on_bodies_ = NodalForces(points_.size());
  tie_forces_.resize(subdomain_->model.contacts.size());
  Increment none(points_.size());
  dependents_.move(points_, none);
  point_masses_ = PointMasses(subdomain_->model, nodal_, rigid_bodies_, rigid_points_, dependents_);
  for (std::size_t n = 0; n < nodal_.size(); ++n) counted_.push_back(!point_masses_.in_body[n]);
  if (!has_consistent_masses(subdomain_->model)) return;
  consistent_mass_ = ConsistentMass(subdomain_->model, [&](std::span<const LocalId> nodes) {
    return point_masses_.in_body[at(nodes[0])] && dependents_.in_one_body(nodes);
  });
}

/// Of the elements that count.
void Solver::list_unknowns() {
  dofs_of_point_ = elements_.dofs_of_nodes(nodal_.size());
  dofs_of_point_.resize(points_.size(), 0);
  for (std::size_t b = 0; b < rigid_points_.size(); ++b)
    if (counts(b) && !is_spare(b)) dofs_of_point_[at(dependents_.body_point(b))] = 6;
  links_.raise_unknowns(dofs_of_point_);
  dependents_.raise_unknowns(dofs_of_point_);
}

/// Whether a rigid body is not left out: one of its parts counts, or it has none.
bool Solver::counts(std::size_t body) const {
  if (only_parts_ == nullptr || body >= subdomain_->model.rigid_bodies.size()) return true;
  const std::vector<LocalId>& parts = subdomain_->model.rigid_bodies[body].parts;
  return parts.empty() || std::ranges::any_of(parts, [&](LocalId p) {
           return std::ranges::find(*only_parts_, p) != only_parts_->end();
         });
}

/// Unknowns are only where something counts. Later dumps say which elements are left out.
void Solver::leave_out_parts() {
  if (only_parts_ == nullptr) return;
  elements_.leave_out_but(*only_parts_);
  end_with_elements(elements_.gone());
  list_unknowns();
}

/// Readers refuse constraints and motions of most nodes that depend on others; none may be dropped here.
void Solver::check_given(const std::vector<NodeGiven>& given) const {
  const auto overlap = [](const Directions& along, const Directions& tied) {
    for (int k = 0; k < along.count; ++k)
      if (norm(tied.part_of(along.axis[at(k)])) > 1e-8) return true;
    return false;
  };
  for (const NodeGiven& g : given) {
    const NodeFreedoms tied = dependents_.tied(g.node);
    if (overlap(g.translation.along, tied.translation) || overlap(g.rotation.along, tied.rotation))
      throw Error("CR-I101",
                  fmt::format("{} is held or moved in a direction in which it follows other nodes (a "
                              "rigid body, a weld, a tie, an interpolation, a node set)",
                              name_of_point(g.node)));
  }
}

std::vector<NodeGiven> Solver::given_in_step(double start, double end) const {
  if (!inertia_) return supports_.in_step(start, end, {points_, {}, {}});
  return supports_.in_step(start, end, {points_, inertia_->motion().v, inertia_->motion().w});
}

/// What is held of a node because nothing is stiff there; where inertia counts, what has mass may move.
NodeFreedoms Solver::unattached_in_step(std::size_t node) const {
  NodeFreedoms held = unattached_[node];
  if (!inertia_in_step_) return held;
  if (point_masses_.moves[node]) held.translation = {};
  if (point_masses_.turns[node]) held.rotation = {};
  return held;
}

void Solver::number_unknowns(const std::vector<NodeGiven>& given) {
  if (!stiffness_.pattern.start.empty() && numbered_with_inertia_ == inertia_in_step_ &&
      same(given, numbered_for_))
    return;
  renumber(given);
  analyse();
}

void Solver::renumber(const std::vector<NodeGiven>& given) {
  std::vector<NodeFreedoms> held;
  for (std::size_t n = 0; n < points_.size(); ++n) held.push_back(unattached_in_step(n));
  for (const NodeGiven& node : given) {
    add_all(node.translation.along, held[at(node.node)].translation);
    add_all(node.rotation.along, held[at(node.node)].rotation);
  }
  for (std::size_t n = 0; n < held.size(); ++n) {
    NodeFreedoms& node = held[n];
    const NodeFreedoms tied = dependents_.tied(static_cast<LocalId>(n));
    add_all(tied.translation, node.translation);
    add_all(tied.rotation, node.rotation);
    node.translation = dofs_of_point_[n] >= 3 ? node.translation.complement() : Directions{};
    node.rotation = dofs_of_point_[n] >= 6 ? node.rotation.complement() : Directions{};
  }
  dofs_ = DofMap(std::move(held), &dependents_);
  numbered_for_ = given;
  numbered_with_inertia_ = inertia_in_step_;
}

void Solver::analyse() {
  analysed_at_ = points_;
  analyse(false);
}

/// @param contacts_again with the pairs of the last pattern
void Solver::analyse(bool contacts_again) {
  const auto timer = clock_.time(Part::symbolic);
  std::vector<std::int64_t> begin{0}, all_begin{0};
  std::vector<std::int32_t> rows, all_rows;
  elements_.append_nodes(begin, rows);
  const auto append = [&](const std::vector<LocalId>& nodes) {
    rows.insert(rows.end(), nodes.begin(), nodes.end());
    begin.push_back(static_cast<std::int64_t>(rows.size()));
  };
  for (const std::vector<LocalId>& segment : loads_.segments()) append(segment);
  for (const std::vector<LocalId>& masters : dependents_.couplings()) append(masters);
  std::vector<std::vector<LocalId>> linked;
  links_.append_points(linked);
  for (const std::vector<LocalId>& points : linked) append(points);
  if (contacts_again)
    contacts_.append_nodes_again(begin, rows);
  else
    contacts_.append_nodes(begin, rows);
  if (dependents_.any()) {
    for (std::size_t e = 0; e + 1 < begin.size(); ++e) {
      for (std::int64_t i = begin[e]; i < begin[e + 1]; ++i)
        dependents_.append_points(rows[static_cast<std::size_t>(i)], all_rows);
      all_begin.push_back(static_cast<std::int64_t>(all_rows.size()));
    }
    begin.swap(all_begin), rows.swap(all_rows);
  }
  stiffness_.pattern = linear::pattern_of(dofs_.row_sizes(), begin, rows);
  stiffness_.matrix.pattern = &stiffness_.pattern;
  stiffness_.matrix.values.assign(static_cast<std::size_t>(stiffness_.pattern.value.back()), 0.0);
  if (dofs_.equations() > 0) {
    linear_->place(analysed_at_, dofs_.motions());
    analysis_ = linear_->analyse(stiffness_.pattern, analysed_at_);
    clock_.move(Part::symbolic, Part::ordering, analysis_.ordering_seconds);
    linear_->check_room();
  }
  factored_ = false;
  relief_.reset();
}

void Solver::hold_unattached() {
  if (cycle_ > first_cycle_ || looked_for_unattached_ || !control_->hold_unattached) return;
  looked_for_unattached_ = true;
  Increment none(points_.size());
  dependents_.move(points_, none);
  const Trial at_rest{points_, none, control_->steps.first, control_->steps.first};
  auto found = find_unattached(elements_, links_, dependents_, dofs_of_point_, at_rest, control_->unattached);
  if (!found) return;  // the step says so
  unattached_ = std::move(*found);
  for (const NodeFreedoms& held : unattached_) n_unattached_ += held.size();
}

}  // namespace crumple::implicit
