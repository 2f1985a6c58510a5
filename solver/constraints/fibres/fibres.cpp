// Constraints of a fibre in a step.
#include "constraints/fibres/fibres.hpp"

#include <cmath>

#include "modules/modules.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

Fibres::Fibres(const modules::Start& start)
    : all_(&start.model.features.of<Fibre>()), modules_(&start.started), rank_(start.comm.rank()) {
  std::vector<LocalId> nodes, turned;
  add_held_nodes(nodes);
  for (const Fibre& fibre : *all_) turned.push_back(fibre.nodes.back());
  require_inertia(start, nodes, turned);
}

std::unique_ptr<modules::Module> Fibres::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<Fibre>().empty())) return nullptr;
  return std::make_unique<Fibres>(start);
}

void Fibres::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const Fibre& fibre : *all_) nodes.insert(nodes.end(), fibre.nodes.begin(), fibre.nodes.end());
}

/// along . (x - (1 - share) x_1 - share x_N) = 0 at the end of the step; `gap` is what it is now.
void Fibres::add_point(std::size_t place, double share, const Vec3& along, const Vec3& gap, double dt) {
  const auto last = static_cast<std::int32_t>(rows_.nodes.size()) - 2;
  rows_.ids.push_back(0);
  rows_.terms.push_back({static_cast<std::int32_t>(place), 0, along});
  rows_.terms.push_back({0, 0, -(1.0 - share) * along});
  rows_.terms.push_back({last, 0, -share * along});
  rows_.first.push_back(static_cast<std::int32_t>(rows_.terms.size()));
  excess_.push_back(dot(along, gap) / dt);
}

void Fibres::list_rows(const Fibre& fibre, const state::Nodal& nodal, double dt) {
  rows_.nodes = fibre.nodes;
  rows_.ids.clear(), rows_.terms.clear(), excess_.clear();
  rows_.first.assign(1, 0);
  const auto x = [&](std::size_t k) { return nodal.x[at(fibre.nodes[k])]; };
  const std::size_t shell = fibre.nodes.size() - 1, last = shell - 1;
  const Vec3 line = x(last) - x(0);
  const double length = norm(line);
  const Vec3 n = (1.0 / length) * line;
  Directions across;
  across.add(n);
  across = across.complement();
  for (std::size_t k = 1; k < last; ++k) {
    const double share = dot(x(k) - x(0), n) / length;
    for (int e = 0; e < 2; ++e)
      add_point(k, share, across.axis[static_cast<std::size_t>(e)], x(k) - x(0) - share * line, dt);
  }
  const Vec3 gap = x(shell) - x(0) - fibre.share * line;
  for (const Vec3& axis : identity3()) add_point(shell, fibre.share, axis, gap, dt);
  for (int e = 0; e < 2; ++e) {
    const Vec3& along = across.axis[static_cast<std::size_t>(e)];
    const Vec3 by_ends = (1.0 / length) * cross(along, n);  // along . (n x dv) = (along x n) . dv
    rows_.ids.push_back(0);
    rows_.terms.push_back({static_cast<std::int32_t>(shell), 1, along});
    rows_.terms.push_back({0, 0, by_ends});
    rows_.terms.push_back({static_cast<std::int32_t>(last), 0, -by_ends});
    rows_.first.push_back(static_cast<std::int32_t>(rows_.terms.size()));
    excess_.push_back(0.0);
  }
}

void Fibres::hold(const Fibre& fibre, modules::Cycle& cycle) {
  list_rows(fibre, cycle.nodal, cycle.dt_x);
  mobility_.clear();
  bool holds_any = false;
  for (const LocalId n : fibre.nodes) {
    mobility_.push_back(mobility_of(n, *modules_, cycle));
    holds_any = holds_any || mobility_.back().is_held();
  }
  factor_rows(rows_, mobility_, matrix_);
  motion_.begin(cycle.nodal, fibre.nodes);
  hold_rows(rows_, mobility_, matrix_, excess_, multiplier_, cycle.nodal);
  motion_.finish(cycle, rank_, holds_any ? &work_ : nullptr);
}

void Fibres::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  for (const Fibre& fibre : *all_) hold(fibre, cycle);
}

/// The rest is found anew in each step.
void Fibres::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("fibres");
  archive.global_sum("work", work_, rank_);
}

}  // namespace crumple::constraints
