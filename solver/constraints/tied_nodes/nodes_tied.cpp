// Common motion of coincident nodes, and their failure.
#include "constraints/tied_nodes/nodes_tied.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/element_rows.hpp"
#include "model/geometry.hpp"
#include "modules/modules.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"
#include "state/group_view.hpp"

namespace crumple::constraints {

using model::ElementKind;
using model::kNone;

namespace {

/// At the start.
double shell_volume(const model::Model& m, LocalId e) {
  const std::array<LocalId, 4>& nodes = m.shells.nodes[at(e)];
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = m.nodes.x[at(nodes[k])];
  const LocalId section = m.parts[at(m.shells.part[at(e)])].section;
  std::array<double, 4> thickness{};
  if (!m.shells.thickness.empty()) thickness = m.shells.thickness[at(e)];
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k)
    sum += thickness[k] > 0.0 ? thickness[k] : section != kNone ? m.sections[at(section)].thickness[k] : 0.0;
  return 0.25 * sum * model::quad_shape(x).area;
}

double solid_volume_of(const model::Model& m, LocalId e) {
  std::array<Vec3, 8> x;
  for (std::size_t k = 0; k < 8; ++k) x[k] = m.nodes.x[at(m.solids.nodes[at(e)][k])];
  return model::solid_volume(x).volume;
}

double volume_of(const model::Model& m, ElementKind kind, LocalId e) {
  return std::max(kind == ElementKind::shell ? shell_volume(m, e) : solid_volume_of(m, e), 0.0);
}

std::span<const LocalId> corners_of(const model::Model& m, ElementKind kind, LocalId e) {
  if (kind == ElementKind::shell) return m.shells.nodes[at(e)];
  return m.solids.nodes[at(e)];
}

double mean_plastic_strain(const state::GroupView& g, std::int32_t e) {
  const int points = g.layout.n_points;
  double sum = 0.0;
  for (int p = 0; p < points; ++p)
    sum += g.variable(e, g.layout.plastic_strain + p * g.layout.point_stride);
  return points > 0 ? sum / points : 0.0;
}

/// Directions in which some node of a group is held or moved, and the velocity there.
struct GivenVelocity {
  Directions along;
  Vec3 velocity;

  void add(const Directions& held, const Vec3& v) {
    for (int k = 0; k < held.count; ++k) {
      const Vec3& axis = held.axis[static_cast<std::size_t>(k)];
      const int before = along.count;
      along.add(axis);
      if (along.count == before) continue;
      const Vec3& fresh = along.axis[static_cast<std::size_t>(before)];
      velocity += ((dot(v, axis) - dot(velocity, axis)) / dot(axis, fresh)) * fresh;
    }
  }
  Vec3 with(const Vec3& mean) const { return velocity + along.removed_from(mean); }
};

}  // namespace

NodesTied::NodesTied(const modules::Start& start)
    : model_(&start.model),
      all_(&start.model.features.of<TiedNodes>()),
      modules_(&start.started),
      comm_(&start.comm),
      sums_(2 * all_->size(), 0),
      failed_(all_->size(), 0),
      strain_(all_->size(), 0.0) {
  double largest = 0.0;
  for (const ElementKind kind : {ElementKind::shell, ElementKind::solid}) {
    const std::size_t count = kind == ElementKind::shell ? model_->shells.size() : model_->solids.size();
    for (std::size_t e = 0; e < count; ++e)
      largest = std::max(largest, volume_of(*model_, kind, static_cast<LocalId>(e)));
  }
  largest = start.comm.max(largest);
  scale_.assign(all_->size(), std::ldexp(1.0, 40 - (largest > 0.0 ? std::ilogb(largest) : 0)));
  std::vector<LocalId> nodes;
  add_held_nodes(nodes);
  require_inertia(start, nodes, {});
}

std::unique_ptr<modules::Module> NodesTied::start(const modules::Start& start) {
  if (start.model.features.of<TiedNodes>().empty()) return nullptr;  // all ranks have all groups
  return std::make_unique<NodesTied>(start);
}

void NodesTied::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const TiedNodes& tied : *all_) nodes.insert(nodes.end(), tied.nodes.begin(), tied.nodes.end());
}

void NodesTied::initialize(state::Nodal& nodal, const RigidBodies&) {
  for (const TiedNodes& tied : *all_) {
    double mass = 0.0, inertia = 0.0;
    Vec3 momentum, twist;
    for (const LocalId n : tied.nodes) {
      mass += nodal.mass[at(n)], inertia += nodal.inertia[at(n)];
      momentum += nodal.mass[at(n)] * nodal.v[at(n)];
      twist += nodal.inertia[at(n)] * nodal.w[at(n)];
    }
    for (const LocalId n : tied.nodes) {
      if (mass > 0.0) nodal.v[at(n)] = (1.0 / mass) * momentum;
      if (inertia > 0.0) nodal.w[at(n)] = (1.0 / inertia) * twist;
    }
  }
}

/// Elements of the rank at the nodes of each group.
void NodesTied::find_elements(std::span<const state::GroupView> groups) {
  watching_ = true;
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> tied_of(model_->nodes.size(), none);
  for (std::size_t k = 0; k < all_->size(); ++k)
    for (const LocalId n : (*all_)[k].nodes) tied_of[at(n)] = k;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ElementKind kind = groups[g].kind();
    if (kind != ElementKind::shell && kind != ElementKind::solid) continue;
    for (std::int32_t e = 0; e < groups[g].count; ++e) {
      const LocalId element = groups[g].element[static_cast<std::size_t>(e)];
      std::set<std::size_t> here;
      for (const LocalId n : corners_of(*model_, kind, element))
        if (tied_of[at(n)] != none && (*all_)[tied_of[at(n)]].kind == kind) here.insert(tied_of[at(n)]);
      for (const std::size_t k : here) watched_.push_back({k, g, e, volume_of(*model_, kind, element)});
    }
  }
}

void NodesTied::find_failed(std::span<const state::GroupView> groups) {
  if (std::ranges::find(failed_, 0) == failed_.end()) return;
  if (!watching_) find_elements(groups);
  std::ranges::fill(sums_, 0);
  for (const Watched& w : watched_) {
    const state::GroupView& g = groups[w.group];
    if (failed_[w.tied] || !g.is_alive(w.element)) continue;
    const double strain = mean_plastic_strain(g, w.element);
    sums_[2 * w.tied] = parallel::plus(sums_[2 * w.tied], parallel::to_fixed(w.volume, scale_[w.tied]));
    sums_[2 * w.tied + 1] =
        parallel::plus(sums_[2 * w.tied + 1], parallel::to_fixed(w.volume * strain, scale_[w.tied]));
  }
  comm_->sum(sums_);
  for (std::size_t k = 0; k < all_->size(); ++k) {
    if (failed_[k] || sums_[2 * k] <= 0) continue;
    strain_[k] = static_cast<double>(sums_[2 * k + 1]) / static_cast<double>(sums_[2 * k]);
    if (strain_[k] > (*all_)[k].failure_strain) failed_[k] = 1;
  }
}

void NodesTied::hold(const TiedNodes& tied, modules::Cycle& cycle) {
  state::Nodal& nodal = cycle.nodal;
  mobility_.clear();
  GivenVelocity given, given_turn;
  double mass = 0.0, inertia = 0.0;
  Vec3 momentum, twist;
  for (const LocalId n : tied.nodes) {
    const Mobility& m = mobility_.emplace_back(mobility_of(n, *modules_, cycle));
    given.add(m.held, nodal.v[at(n)]);
    given_turn.add(m.held_turns, nodal.w[at(n)]);
    mass += nodal.mass[at(n)], inertia += nodal.inertia[at(n)];
    momentum += nodal.mass[at(n)] * nodal.v[at(n)];
    twist += nodal.inertia[at(n)] * nodal.w[at(n)];
  }
  if (!(mass > 0.0)) return;
  motion_.begin(nodal, tied.nodes);
  const Vec3 v = given.with((1.0 / mass) * momentum);
  const Vec3 w = inertia > 0.0 ? given_turn.with((1.0 / inertia) * twist) : Vec3{};
  for (const LocalId n : tied.nodes) {
    nodal.v[at(n)] = v;
    if (inertia > 0.0) nodal.w[at(n)] = w;
  }
  const bool holds_any = given.along.count + given_turn.along.count > 0;
  motion_.finish(cycle, comm_->rank(), holds_any ? &work_ : nullptr);
}

void NodesTied::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  if (cycle.stage == model::Stage::transient) find_failed(cycle.elements);
  for (std::size_t k = 0; k < all_->size(); ++k)
    if (!failed_[k] && !(*all_)[k].nodes.empty()) hold((*all_)[k], cycle);
}

void NodesTied::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  const auto here = archive.module("tied nodes");
  const std::vector<GlobalId> keys = state::numbered(failed_.size());
  archive.field("failed", Rows::equal(Of::entity, keys), std::span(failed_));
  archive.field("strain", Rows::equal(Of::entity, keys), std::span(strain_));
  archive.global_sum("work", work_, comm_->rank());
}

}  // namespace crumple::constraints
