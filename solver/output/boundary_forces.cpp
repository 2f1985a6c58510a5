// Rows of nodes by user number; several loads on one node are added in an order that no partition changes.
#include "output/boundary_forces.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "constraints/joints.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/single_point.hpp"
#include "constraints/support_reactions.hpp"
#include "loads/nodal_loads.hpp"
#include "loads/pressure_loads.hpp"

namespace crumple::output {

using constraints::identity3;
using constraints::Matrix3;
using constraints::operator*;
using explicit_dynamics::Solver;
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

/// Lines of all ranks, added up by id, in the order of `ids`; on rank 0. Collective.
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

/// Axes of each node's first constraint, where that has its own.
std::map<LocalId, Matrix3> constraint_axes(const model::Model& m) {
  std::map<LocalId, Matrix3> axes;
  for (const model::NodeConstraint& c : m.constraints)
    if (c.mask != 0) axes.emplace(c.node, c.system == kNone ? identity3() : m.systems[c.system].axis);
  return axes;
}

/// What holds a node, in global axes and in those of its first constraint.
struct Reaction {
  GlobalId id;
  Vec3 force, local_force, local_moment;
};

/// Constraints of one node follow each other.
template <class T>
void add_reactions_on_bodies(const Solver<T>& solver, std::map<GlobalId, Reaction>& by_id) {
  const std::vector<model::Support>& supports = solver.model().supports;
  const auto* const joints = solver.modules().template find<constraints::Joints>();
  if (supports.empty() || joints == nullptr) return;
  const auto on_bodies = support_reactions(solver.model(), solver.rigid_bodies(), *joints);
  std::size_t first = 0;
  for (std::size_t k = 0; k < supports.size(); ++k) {
    if (supports[k].node_id != supports[first].node_id) first = k;
    Reaction& r = by_id[supports[k].node_id];
    r.force += on_bodies[k].force;
    r.local_force += supports[first].axis * on_bodies[k].force;
    r.local_moment += supports[first].axis * on_bodies[k].moment;
  }
}

}  // namespace

BoundaryInfo boundary_info(const model::Model& whole) {
  BoundaryInfo info;
  for (const model::NodalLoad& load : whole.nodal_loads)
    if (load.node != kNone) info.loaded.push_back(whole.nodes.id[load.node]);
  for (const model::PressureLoad& load : whole.pressures)
    for (const LocalId n : load.nodes)
      if (n != kNone) info.pressed.push_back(whole.nodes.id[n]);
  for (const model::PrescribedMotion& motion : whole.motions) {
    if (motion.node != kNone) info.moved.push_back(whole.nodes.id[motion.node]);
    if (motion.rigid_body != kNone) info.bodies.push_back(whole.rigid_bodies[motion.rigid_body].part_id);
  }
  for (auto* ids : {&info.loaded, &info.pressed, &info.moved, &info.bodies}) make_unique(*ids);
  return info;
}

template <class T>
SpcforcBlock gather_constraint_forces(const parallel::Communicator& comm, const Catalogue& catalogue,
                                      const Solver<T>& solver) {
  const auto axes = constraint_axes(solver.model());
  std::vector<Reaction> mine;
  if (const auto* const held = solver.modules().template find<constraints::SinglePoint>())
    for (const auto& r : held->reactions(solver.nodal())) {
      const Matrix3& frame = axes.at(r.node);
      mine.push_back({solver.nodal().id[r.node], r.force, frame * r.force, frame * r.moment});
    }
  const std::vector<Reaction> all = comm.gather<Reaction>(mine);
  SpcforcBlock block;
  if (!comm.root()) return block;
  std::map<GlobalId, Reaction> by_id;
  for (const Reaction& r : all) by_id[r.id] = r;
  add_reactions_on_bodies(solver, by_id);
  for (const HeldNode& held : catalogue.held_nodes) {
    const Reaction& r = by_id[held.id];
    block.rows.push_back({r.local_force, r.local_moment});
    block.resultant += r.force;
  }
  return block;
}

template <class T>
BndoutBlock gather_boundary_forces(const parallel::Communicator& comm, const Catalogue& catalogue,
                                   const Solver<T>& solver) {
  const model::Model& m = solver.model();
  const std::vector<GlobalId>& id = m.nodes.id;
  std::vector<Line> loaded, pressed, moved, bodies;
  const modules::Modules& modules = solver.modules();
  if (const auto* const loads = modules.find<loads::NodalLoads>())
    for (const auto& f : loads->forces()) loaded.push_back({id[f.node], f.force, {}, f.work});
  if (const auto* const loads = modules.find<loads::PressureLoads>())
    for (const auto& f : loads->forces()) pressed.push_back({id[f.node], f.force, {}, f.work});
  if (const auto* const motions = modules.find<constraints::PrescribedMotion>())
    for (const auto& d : motions->drives(solver.nodal()))
      moved.push_back({id[d.node], d.force, d.moment, d.work});
  if (comm.root())
    for (int b = 0; b < solver.rigid_bodies().size(); ++b) {
      const auto& drive = solver.rigid_bodies().drive(b);
      bodies.push_back({m.rigid_bodies[b].part_id, drive.force, drive.moment, drive.work});
    }
  const BoundaryInfo& info = catalogue.boundary;
  BndoutBlock block;
  block.loaded = add_up(comm, loaded, info.loaded);
  block.pressed = add_up(comm, pressed, info.pressed);
  block.moved = add_up(comm, moved, info.moved);
  block.bodies = add_up(comm, bodies, info.bodies);
  return block;
}

template <class T>
std::vector<SecforcRow> gather_sections(const Solver<T>& solver) {
  std::vector<SecforcRow> rows;
  const auto forces = solver.section_forces();
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const model::CrossSection& section = solver.model().cross_sections[k];
    // Columns of a body's rotation are its axes.
    Matrix3 axes = identity3();
    if (section.rigid_body != kNone) {
      const Matrix3 turned = solver.rigid_bodies().state(section.rigid_body).direction;
      for (int i = 0; i < 3; ++i) axes[i] = {turned[0][i], turned[1][i], turned[2][i]};
    } else if (section.system != kNone) {
      axes = solver.model().systems[section.system].axis;
    }
    const auto& f = forces[k];
    rows.push_back({axes * f.force, axes * f.moment, f.centroid, f.area});
  }
  return rows;
}

template SpcforcBlock gather_constraint_forces(const parallel::Communicator&, const Catalogue&,
                                               const Solver<float>&);
template SpcforcBlock gather_constraint_forces(const parallel::Communicator&, const Catalogue&,
                                               const Solver<double>&);
template BndoutBlock gather_boundary_forces(const parallel::Communicator&, const Catalogue&,
                                            const Solver<float>&);
template BndoutBlock gather_boundary_forces(const parallel::Communicator&, const Catalogue&,
                                            const Solver<double>&);
template std::vector<SecforcRow> gather_sections(const Solver<float>&);
template std::vector<SecforcRow> gather_sections(const Solver<double>&);

}  // namespace crumple::output
