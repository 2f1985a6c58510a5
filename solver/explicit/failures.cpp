// Failures that end a run: invalid elements, steps below DTMIN, overflow of forces, failed bodies, loose
// nodes.
#include "explicit/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "explicit/solver.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using model::kNone;

ElementName smallest_name(const parallel::Communicator& comm, const ElementName& mine) {
  const std::array<GlobalId, 3> words{static_cast<GlobalId>(mine.kind), mine.id, mine.part};
  const std::vector<GlobalId> all = comm.all_gather<GlobalId>(words);
  ElementName best;
  for (std::size_t r = 0; r + 2 < all.size(); r += 3) {
    const ElementName name{static_cast<ElementKind>(all[r]), all[r + 1], all[r + 2]};
    if (name.kind == ElementKind::none) continue;
    if (best.kind == ElementKind::none || std::pair(name.kind, name.id) < std::pair(best.kind, best.id))
      best = name;
  }
  return best;
}

void Solver::fail_broken() const {
  const ElementName name = smallest_name(
      *comm_, elements_->broken() ? first_broken(elements_->groups(), subdomain_->model) : ElementName{});
  throw RunFailure(
      "CR-R101",
      fmt::format("{} element {} of part {} has a negative volume or is not a number at time {:.6e}, "
                  "cycle {}",
                  kind_name(name.kind), name.id, name.part, time_, cycle_),
      {}, Exit::run);
}

/// Ends the run where the step has fallen below DTMIN. Collective.
void Solver::stop_short_step(double dt) const {
  const ElementName name = smallest_name(
      *comm_, smallest_step_ == elements_->smallest_step() ? controlling_here() : ElementName{});
  throw RunFailure("CR-R102",
                   fmt::format("the time step fell to {:.4e}, below DTMIN times the first step ({:.4e}), at "
                               "time {:.6e}, cycle {}: {} element {} of part {}",
                               dt, subdomain_->model.control.min_step_factor * first_step_, time_, cycle_,
                               kind_name(name.kind), name.id, name.part),
                   {}, Exit::run);
}

/// Store the element with the smallest step at the node: a nearly flat element has a small step, and its
/// forces overflow before its volume becomes negative.
void Solver::note_runaway(GlobalId node) {
  if (node == kNoNode || runaway_.node <= node) return;
  if (runaway_.node != kNoNode && runaway_.cycle != cycle_) return;
  runaway_ = {node, {}, time_, cycle_};
  const auto place = std::ranges::find(nodal_.id, node);
  if (place != nodal_.id.end())
    runaway_.suspect =
        suspect_at(elements_->groups(), subdomain_->model, static_cast<LocalId>(place - nodal_.id.begin()));
}

/// Ends the run if a force has overflowed on any rank; `node` is the smallest such node of all ranks.
/// Collective.
void Solver::stop_runaway(GlobalId node) const {
  if (node == kNoNode) return;
  const bool mine = runaway_.node == node;
  const double step = comm_->min(mine ? runaway_.suspect.step : HUGE_VAL);
  const ElementName name =
      smallest_name(*comm_, mine && runaway_.suspect.step == step ? runaway_.suspect.name : ElementName{});
  const double time = comm_->min(mine ? runaway_.time : HUGE_VAL);
  const std::int64_t cycle = comm_->min(mine ? runaway_.cycle : std::numeric_limits<std::int64_t>::max());
  std::string where;
  if (name.kind != ElementKind::none)
    where = fmt::format(" at {} element {} of part {}, whose stable step is {:.2g} % of the first step",
                        kind_name(name.kind), name.id, name.part,
                        100 * subdomain_->model.control.step_scale * step / first_step_);
  throw RunFailure("CR-R103",
                   fmt::format("the force on node {} is out of all proportion to the stiffness there at time "
                               "{:.6e}, cycle {}: the run is unstable{}",
                               node, time, cycle, where),
                   {}, Exit::run);
}

/// The failed body of this rank; a number beyond all indices if there is none.
std::int64_t Solver::failed_body() const {
  const LocalId b = rigid_bodies_.failed();
  return b == kNone ? std::numeric_limits<std::int32_t>::max() : b;
}

/// Ends the run if a rigid body has failed on any rank; `b` is the first one. Collective.
void Solver::stop_failed_body(std::int64_t b) const {
  if (b < rigid_bodies_.size()) fail_together([&] { rigid_bodies_.stop(static_cast<LocalId>(b)); });
}

/// Ends the run if no constraint takes the load on a node without mass; `node` is the smallest such node of
/// all ranks. Collective.
void Solver::stop_loose_node(GlobalId node) const {
  if (node == kNoNode) return;
  const constraints::MasslessNodes::Loose& loose = massless_nodes_.loose();
  const bool mine = loose.node == node;
  const double size = comm_->max(mine ? loose.size : 0.0), time = comm_->max(mine ? loose.time : -HUGE_VAL);
  const bool moment = comm_->any(mine && loose.moment);
  throw RunFailure(
      "CR-R107",
      fmt::format(
          "node {} has no {}, and a {} of {:.4e} acts on it at time {:.6e} along which nothing holds or "
          "moves it: {}",
          node, moment ? "rotational inertia" : "mass", moment ? "moment" : "force", size, time,
          moment ? "hold its rotation, or attach what has inertia"
                 : "give it mass (*ELEMENT_MASS), hold it or move it"),
      {}, Exit::run);
}

}  // namespace crumple::explicit_dynamics
