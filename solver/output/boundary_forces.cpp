// Rows of nodes by user number; several loads on one node are added in an order that does not depend on the
// partition.
#include "output/boundary_forces.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "constraints/relative_motion/relative_motion.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/pressure/pressure_load.hpp"

namespace crumple::output {

using model::kNone;

std::vector<HeldNode> held_nodes(const model::Model& whole) {
  std::map<GlobalId, HeldNode> found;
  const auto add = [&](GlobalId node, GlobalId constraint, std::uint8_t mask) {
    if (mask == 0) return;
    HeldNode& held = found[node];
    held.id = node;
    if (held.constraint == 0) held.constraint = constraint;
    held.translations |= (mask & 7U) != 0;
    held.rotations |= (mask & 56U) != 0;
  };
  for (const model::NodeConstraint& c : whole.constraints) add(whole.nodes.id[c.node], c.id, c.mask);
  for (const model::Support& s : whole.supports) add(s.node_id, s.id, s.mask);
  std::vector<HeldNode> list;
  for (const auto& [id, held] : found) list.push_back(held);
  return list;
}

namespace {

void make_unique(std::vector<GlobalId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

struct Line {
  GlobalId id;
  Vec3 force, moment;
  double energy;
  auto key() const { return std::tuple(id, force.x, force.y, force.z, moment.x, moment.y, moment.z, energy); }
};

/// Rows of all ranks, summed by id, in the order of `ids`; on rank 0. Collective.
std::vector<BndoutBlock::Row> add_up(const parallel::Communicator& comm, const std::vector<Line>& mine,
                                     const std::vector<GlobalId>& ids) {
  std::vector<Line> all = comm.gather<Line>(mine);
  if (!comm.root()) return {};
  std::sort(all.begin(), all.end(), [](const Line& a, const Line& b) { return a.key() < b.key(); });
  std::map<GlobalId, BndoutBlock::Row> sums;
  for (const Line& line : all) {
    BndoutBlock::Row& sum = sums[line.id];
    sum.force += line.force;
    sum.moment += line.moment;
    sum.energy += line.energy;
  }
  std::vector<BndoutBlock::Row> rows;
  for (const GlobalId id : ids) rows.push_back(sums[id]);
  return rows;
}

/// Unit vectors of a system of axes.
using Axes = std::array<Vec3, 3>;
constexpr Axes kGlobal{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

Vec3 along(const Axes& axes, const Vec3& v) { return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)}; }

/// Axes of each node's first constraint, if it has its own.
std::map<LocalId, Axes> constraint_axes(const model::Model& m) {
  std::map<LocalId, Axes> axes;
  for (const model::NodeConstraint& c : m.constraints)
    if (c.mask != 0) axes.emplace(c.node, c.system == kNone ? kGlobal : m.systems[c.system].axis);
  return axes;
}

/// Reaction on a node, in global axes and in those of its first constraint.
struct Reaction {
  GlobalId id;
  Vec3 force, local_force, local_moment;
};

/// Constraints of one node are consecutive.
void add_reactions_on_bodies(const std::vector<model::Support>& supports,
                             const std::vector<SpcforcBlock::Row>& on_bodies,
                             std::map<GlobalId, Reaction>& by_id) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < supports.size(); ++k) {
    if (supports[k].node_id != supports[first].node_id) first = k;
    Reaction& r = by_id[supports[k].node_id];
    r.force += on_bodies[k].force;
    r.local_force += along(supports[first].axis, on_bodies[k].force);
    r.local_moment += along(supports[first].axis, on_bodies[k].moment);
  }
}

}  // namespace

BoundaryInfo boundary_info(const model::Model& whole) {
  BoundaryInfo info;
  for (const loads::NodalLoad& load : whole.features.of<loads::NodalLoad>())
    if (load.node != kNone) info.loaded.push_back(whole.nodes.id[load.node]);
  for (const loads::PressureLoad& load : whole.features.of<loads::PressureLoad>())
    for (const LocalId n : load.nodes)
      if (n != kNone) info.pressed.push_back(whole.nodes.id[n]);
  for (const model::PrescribedMotion& motion : whole.motions) {
    if (motion.node != kNone) info.moved.push_back(whole.nodes.id[motion.node]);
    if (motion.rigid_body != kNone) info.bodies.push_back(whole.rigid_bodies[motion.rigid_body].part_id);
  }
  for (const auto& motion : whole.features.of<constraints::RelativeMotion>())
    info.bodies.push_back(whole.rigid_bodies[motion.body].part_id);
  for (auto* ids : {&info.loaded, &info.pressed, &info.moved, &info.bodies}) make_unique(*ids);
  return info;
}

SpcforcBlock gather_constraint_forces(const parallel::Communicator& comm, const model::Model& m,
                                      const Catalogue& catalogue, const ResultsView& results) {
  const auto axes = constraint_axes(m);
  std::vector<Reaction> mine;
  for (const NodeAction& r : results.reactions()) {
    const Axes& frame = axes.at(r.node);
    mine.push_back({m.nodes.id[r.node], r.force, along(frame, r.force), along(frame, r.moment)});
  }
  const std::vector<Reaction> all = comm.gather<Reaction>(mine);
  const std::vector<SpcforcBlock::Row> on_bodies = results.support_reactions();
  SpcforcBlock block;
  if (!comm.root()) return block;
  std::map<GlobalId, Reaction> by_id;
  for (const Reaction& r : all) by_id[r.id] = r;
  add_reactions_on_bodies(m.supports, on_bodies, by_id);
  for (const HeldNode& held : catalogue.held_nodes) {
    const Reaction& r = by_id[held.id];
    block.rows.push_back({r.local_force, r.local_moment});
    block.resultant += r.force;
  }
  return block;
}

BndoutBlock gather_boundary_forces(const parallel::Communicator& comm, const model::Model& m,
                                   const Catalogue& catalogue, const ResultsView& results) {
  const auto lines = [&](const std::vector<NodeAction>& actions) {
    std::vector<Line> of_nodes;
    for (const NodeAction& a : actions) of_nodes.push_back({m.nodes.id[a.node], a.force, a.moment, a.work});
    return of_nodes;
  };
  const std::vector<Line> loaded = lines(results.loads()), pressed = lines(results.pressures()),
                          moved = lines(results.drives());
  const std::vector<BndoutBlock::Row> of_bodies = results.body_drives();
  std::vector<Line> bodies;
  if (comm.root())
    for (std::size_t b = 0; b < of_bodies.size(); ++b)
      bodies.push_back(
          {m.rigid_bodies[b].part_id, of_bodies[b].force, of_bodies[b].moment, of_bodies[b].energy});
  const BoundaryInfo& info = catalogue.boundary;
  BndoutBlock block;
  block.loaded = add_up(comm, loaded, info.loaded);
  block.pressed = add_up(comm, pressed, info.pressed);
  block.moved = add_up(comm, moved, info.moved);
  block.bodies = add_up(comm, bodies, info.bodies);
  return block;
}

}  // namespace crumple::output
