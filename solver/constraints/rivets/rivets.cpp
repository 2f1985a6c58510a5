// Lengths of rivets at the end of a step.
#include "constraints/rivets/rivets.hpp"

#include <algorithm>
#include <cmath>

#include "modules/modules.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

constexpr double kLengthError = 4e-15;  ///< of the square of a length, over this: rounding
constexpr int kMostSweeps = 200;        ///< a rod alone needs four

}  // namespace

Rivets::Rivets(const modules::Start& start)
    : groups_(&start.model.features.of<RivetGroup>()), modules_(&start.started), rank_(start.comm.rank()) {
  std::vector<LocalId> nodes;
  add_held_nodes(nodes);
  require_inertia(start, nodes, {});
}

std::unique_ptr<modules::Module> Rivets::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<RivetGroup>().empty())) return nullptr;
  return std::make_unique<Rivets>(start);
}

void Rivets::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const RivetGroup& group : *groups_) nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
}

/// One step of Newton's method for a rod. False if it had its length.
bool Rivets::correct(const RivetGroup& group, const Rivet& rivet, modules::Cycle& cycle) const {
  state::Nodal& nodal = cycle.nodal;
  const auto a = static_cast<std::size_t>(rivet.places[0]), b = static_cast<std::size_t>(rivet.places[1]);
  const std::size_t first = at(group.nodes[a]), second = at(group.nodes[b]);
  const Vec3 r = nodal.x[second] - nodal.x[first];
  const Vec3 end = r + cycle.dt_x * (nodal.v[second] - nodal.v[first]);
  const double error = dot(end, end) - rivet.length * rivet.length;
  if (std::abs(error) <= kLengthError * rivet.length * rivet.length) return false;
  const Vec3 on_first = mobility_[a].moved_by(r), on_second = mobility_[b].moved_by(r);
  const double slope = 2.0 * cycle.dt_x * dot(end, on_first + on_second);
  if (slope == 0.0) return false;  // both ends are held along the rod
  const double s = -error / slope;
  nodal.v[first] -= s * on_first;
  nodal.v[second] += s * on_second;
  return true;
}

void Rivets::hold(const RivetGroup& group, modules::Cycle& cycle) {
  mobility_.clear();
  bool holds_any = false;
  for (const LocalId n : group.nodes) {
    mobility_.push_back(mobility_of(n, *modules_, cycle));
    holds_any = holds_any || mobility_.back().is_held();
  }
  motion_.begin(cycle.nodal, group.nodes);
  const bool of_run = cycle.stage == model::Stage::transient;  // in which time starts again
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (const Rivet& rivet : group.rivets)
      if (!of_run || cycle.time < rivet.failure_time) changed = correct(group, rivet, cycle) || changed;
  }
  motion_.finish(cycle, rank_, holds_any ? &work_ : nullptr);
}

void Rivets::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  for (const RivetGroup& group : *groups_) hold(group, cycle);
}

void Rivets::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("rivets");
  archive.global_sum("work", work_, rank_);
}

}  // namespace crumple::constraints
