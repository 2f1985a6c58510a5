// Converts results of the solver and its parts to rows.
#include "explicit/solver_results.hpp"

#include <numbers>

#include "constraints/joint_stiffness/joint_stiffnesses.hpp"
#include "constraints/joints/joints.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/single_point.hpp"
#include "constraints/support_reactions.hpp"
#include "loads/nodal/nodal_loads.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "loads/rigid_wall/walls.hpp"
#include "output/contact_rows.hpp"

namespace crumple::explicit_dynamics {

using constraints::Matrix3;
using constraints::operator*;
using model::kNone;
using output::NodeAction;

output::CycleTimes SolverResults::cycle() const {
  const Snapshot& s = solver_.snapshot();
  return {s.cycle, s.time, s.dt, solver_.time()};
}

output::NodeView SolverResults::nodes() const {
  const Snapshot& s = solver_.snapshot();
  const state::Nodal& n = solver_.nodal();
  return {n.id, n.x0, s.x, s.v, s.w, n.a, n.alpha, s.rotation};
}

std::vector<double> SolverResults::added_nodal_mass(bool percent) const {
  return solver_.mass_scaling().of_nodes(solver_.nodal(), percent);
}

std::vector<NodeAction> SolverResults::reactions() const {
  std::vector<NodeAction> actions;
  if (const auto* const held = solver_.modules().find<constraints::SinglePoint>())
    for (const auto& r : held->reactions(solver_.nodal())) actions.push_back({r.node, r.force, r.moment});
  return actions;
}

std::vector<NodeAction> SolverResults::loads() const {
  std::vector<NodeAction> actions;
  if (const auto* const loads = solver_.modules().find<loads::NodalLoads>())
    for (const auto& f : loads->forces()) actions.push_back({f.node, f.force, {}, f.work});
  return actions;
}

std::vector<NodeAction> SolverResults::pressures() const {
  std::vector<NodeAction> actions;
  if (const auto* const loads = solver_.modules().find<loads::PressureLoads>())
    for (const auto& f : loads->forces()) actions.push_back({f.node, f.force, {}, f.work});
  return actions;
}

std::vector<NodeAction> SolverResults::drives() const {
  std::vector<NodeAction> actions;
  if (const auto* const motions = solver_.modules().find<constraints::PrescribedMotion>())
    for (const auto& d : motions->drives(solver_.nodal()))
      actions.push_back({d.node, d.force, d.moment, d.work});
  return actions;
}

output::ControllingElement SolverResults::controlling() const {
  const ElementName name = solver_.controlling();
  return {name.kind, name.id, name.part};
}

output::GlobalRow SolverResults::energies() const {
  const Balance b = solver_.balance();
  const Snapshot& snapshot = solver_.snapshot();
  output::GlobalRow row;
  row.cycle = snapshot.cycle;
  row.time = snapshot.time;
  row.dt = snapshot.dt;
  row.kinetic = b.parts.kinetic;
  row.internal = b.parts.internal;
  row.spring_damper = b.parts.spring;
  row.joint = b.joint;
  row.hourglass = b.parts.hourglass;
  row.damping = b.damping;
  row.sliding = b.sliding;
  row.external_work = b.external_work;
  row.eroded_kinetic = b.eroded_kinetic;
  row.eroded_internal = b.parts.eroded_internal;
  row.eroded_hourglass = b.parts.eroded_hourglass;
  row.total = b.total;
  row.ratio = b.ratio();
  row.ratio_without_eroded = b.ratio_without_eroded();
  row.stonewall = b.stonewalls;
  if (b.parts.mass > 0) row.velocity = (1.0 / b.parts.mass) * b.parts.momentum;
  row.added_mass = b.added_mass;
  row.added_mass_percent = solver_.mass() > 0 ? 100.0 * b.added_mass / solver_.mass() : 0.0;
  return row;
}

std::vector<output::MatsumRow> SolverResults::parts() const {
  const std::vector<PartEnergies> parts = solver_.parts();
  std::vector<double> added(parts.size(), 0.0);
  if (solver_.mass_scaling().active()) added = solver_.added_masses();
  std::vector<output::MatsumRow> rows;
  for (const PartEnergies& p : parts) {
    output::MatsumRow row;
    row.added_mass = added[rows.size()];
    row.internal = p.internal;
    row.kinetic = p.kinetic;
    row.hourglass = p.hourglass;
    row.eroded_internal = p.eroded_internal;
    row.eroded_hourglass = p.eroded_hourglass;
    row.mass = p.mass;
    row.momentum = p.momentum;
    if (p.mass > 0) row.rigid_velocity = (1.0 / p.mass) * p.momentum;
    rows.push_back(row);
  }
  return rows;
}

std::vector<output::RwforcRow> SolverResults::walls() const {
  std::vector<output::RwforcRow> rows;
  if (const auto* const walls = solver_.modules().find<loads::RigidWalls>())
    for (const auto& wall : walls->rows()) rows.push_back({wall.normal_force, wall.force});
  return rows;
}

std::vector<output::RcforcRow> SolverResults::contact_forces() const {
  return output::rcforc_rows(solver_.contact_results());
}

std::vector<output::SleoutRow> SolverResults::contact_energies() const {
  return output::sleout_rows(solver_.contact_results());
}

std::vector<output::ContactNode> SolverResults::contact_nodes() const {
  return output::ncforc_rows(solver_.contact().nodal_forces());
}

/// Section forces in the requested axes.
std::vector<output::SecforcRow> SolverResults::sections() const {
  std::vector<output::SecforcRow> rows;
  for (const SectionForce& f : solver_.section_forces()) {
    const model::CrossSection& section = solver_.model().cross_sections[rows.size()];
    Matrix3 axes = constraints::identity3();
    if (section.rigid_body != kNone) {  // the columns of a body's rotation are its axes
      const Matrix3 turned = solver_.rigid_bodies().state(section.rigid_body).direction;
      for (int i = 0; i < 3; ++i) axes[i] = {turned[0][i], turned[1][i], turned[2][i]};
    } else if (section.system != kNone) {
      axes = solver_.model().systems[section.system].axis;
    }
    rows.push_back({axes * f.force, axes * f.moment, f.centroid, f.area});
  }
  return rows;
}

std::vector<output::RigidBodyRow> SolverResults::rigid_bodies() const {
  std::vector<output::RigidBodyRow> rows;
  for (const constraints::RigidBodyState& s : solver_.rigid_bodies().kept_states())
    rows.push_back({s.position, s.displacement, s.velocity, s.acceleration, s.rotation, s.angular_velocity,
                    s.angular_acceleration, s.direction});
  return rows;
}

std::vector<output::BndoutBlock::Row> SolverResults::body_drives() const {
  std::vector<output::BndoutBlock::Row> rows;
  for (int b = 0; b < solver_.rigid_bodies().size(); ++b) {
    const auto& drive = solver_.rigid_bodies().drive(b);
    rows.push_back({drive.force, drive.moment, drive.work});
  }
  return rows;
}

std::vector<output::SpcforcBlock::Row> SolverResults::support_reactions() const {
  std::vector<output::SpcforcBlock::Row> rows;
  const auto* const joints = solver_.modules().find<constraints::Joints>();
  if (solver_.model().supports.empty() || joints == nullptr) return rows;
  for (const auto& r : constraints::support_reactions(solver_.model(), solver_.rigid_bodies(), *joints))
    rows.push_back({r.force, r.moment});
  return rows;
}

std::vector<output::JointRow> SolverResults::joints() const {
  std::vector<output::JointRow> rows;
  const auto* const all = solver_.modules().find<constraints::Joints>();
  if (all == nullptr) return rows;
  for (const auto& s : all->states()) {
    output::JointRow row{s.force, s.moment, s.energy};
    if (const LocalId body = solver_.model().features.of<constraints::Joint>()[rows.size()].results_body;
        body != kNone) {
      const Matrix3 turn = solver_.rigid_bodies().kept_state(body).direction;
      row.force = constraints::transpose_times(turn, row.force);
      row.moment = constraints::transpose_times(turn, row.moment);
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<output::JointStiffnessRow> SolverResults::joint_stiffnesses() const {
  constexpr double degrees = 180.0 / std::numbers::pi;
  std::vector<output::JointStiffnessRow> rows;
  const auto* const all = solver_.modules().find<constraints::JointStiffnesses>();
  if (all == nullptr) return rows;
  for (const auto& s : all->states()) {
    const auto kind = solver_.model().features.of<constraints::JointStiffness>()[rows.size()].kind;
    const double unit = kind == constraints::StiffnessKind::translational ? 1.0 : degrees;
    output::JointStiffnessRow& row = rows.emplace_back();
    row.scale = s.scale;
    for (std::size_t i = 0; i < 3; ++i) {
      row.angle[i] = unit * s.angle[i];
      row.rate[i] = unit * s.rate[i];
      row.stiffness[i] = s.elastic[i];
      row.damping[i] = s.damping[i];
    }
    row.energy = s.energy;
  }
  return rows;
}

}  // namespace crumple::explicit_dynamics
