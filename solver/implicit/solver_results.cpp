// Converts results of the implicit solver to rows.
#include "implicit/solver_results.hpp"

#include <numbers>

#include "constraints/joints/joint.hpp"
#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/wall_links.hpp"
#include "loads/nodal/nodal_loads.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "output/contact_rows.hpp"

namespace crumple::implicit {

using output::NodeAction;

output::CycleTimes SolverResults::cycle() const {
  return {solver_.cycle(), solver_.time(), solver_.dt(), next_};
}

output::NodeView SolverResults::nodes() const {
  const state::Nodal& n = solver_.nodal();
  if (solver_.dynamic()) return {n.id, n.x0, n.x, n.v, n.w, n.a, n.alpha, solver_.rotation()};
  return {n.id, n.x0, n.x, rest_, rest_, rest_, rest_, solver_.rotation()};
}

namespace {

/// Those on nodes.
std::vector<NodeAction> actions_of(const Solver& solver, const std::vector<Reaction>& reactions) {
  std::vector<NodeAction> actions;
  for (const Reaction& r : reactions)
    if (solver.body_of(r.node) == model::kNone) actions.push_back({r.node, r.force, r.moment, r.work});
  return actions;
}

template <class Loads>
std::vector<NodeAction> forces_of(const modules::Modules& modules) {
  std::vector<NodeAction> actions;
  if (const auto* const loads = modules.find<Loads>())
    for (const auto& f : loads->forces()) actions.push_back({f.node, f.force, {}, f.work});
  return actions;
}

}  // namespace

std::vector<NodeAction> SolverResults::reactions() const { return actions_of(solver_, solver_.reactions()); }
std::vector<NodeAction> SolverResults::drives() const { return actions_of(solver_, solver_.drives()); }
std::vector<NodeAction> SolverResults::loads() const {
  return forces_of<loads::NodalLoads>(solver_.modules());
}
std::vector<NodeAction> SolverResults::pressures() const {
  return forces_of<loads::PressureLoads>(solver_.modules());
}

std::vector<output::RigidBodyRow> SolverResults::rigid_bodies() const {
  std::vector<output::RigidBodyRow> rows;
  for (std::size_t b = 0; b < solver_.model().rigid_bodies.size(); ++b) {
    const RigidMotion& body = solver_.rigid_motions()[b];
    output::RigidBodyRow row;
    row.x = body.centre;
    row.displacement = body.displacement;
    row.rotation = body.rotation;
    row.direction = constraints::matrix(body.orientation);
    row.velocity = body.velocity;
    row.acceleration = body.acceleration;
    row.angular_velocity = body.angular_velocity;
    row.angular_acceleration = body.angular_acceleration;
    rows.push_back(row);
  }
  return rows;
}

std::vector<output::BndoutBlock::Row> SolverResults::body_drives() const {
  std::vector<output::BndoutBlock::Row> rows(solver_.model().rigid_bodies.size());
  for (const Reaction& r : solver_.drives())
    if (const LocalId b = solver_.body_of(r.node); b != model::kNone)
      rows[at(b)] = {r.force, r.moment, r.work};
  return rows;
}

std::vector<output::SpcforcBlock::Row> SolverResults::support_reactions() const {
  std::vector<output::SpcforcBlock::Row> rows;
  for (const SupportShare& share : solver_.support_shares()) rows.push_back({share.force, share.moment});
  return rows;
}

output::GlobalRow SolverResults::energies() const {
  const Balance b = solver_.balance();
  output::GlobalRow row;
  row.cycle = solver_.cycle();
  row.time = solver_.time();
  row.dt = solver_.dt();
  row.kinetic = b.parts.kinetic;
  row.internal = b.parts.internal;
  row.spring_damper = b.parts.spring;
  row.hourglass = b.parts.hourglass;
  row.sliding = b.sliding;
  row.joint = b.joint;
  if (const auto* const walls = solver_.links().find<WallLinks>())
    for (const WallLinks::State& s : walls->states()) row.stonewall.push_back(s.energy);
  row.damping = b.damping;
  row.external_work = b.external_work;
  row.eroded_internal = b.parts.eroded_internal;
  row.eroded_hourglass = b.parts.eroded_hourglass;
  row.total = b.total;
  row.ratio = row.ratio_without_eroded = b.ratio();
  if (b.parts.mass > 0) row.velocity = (1.0 / b.parts.mass) * b.parts.momentum;
  return row;
}

std::vector<output::RcforcRow> SolverResults::contact_forces() const {
  std::vector<output::RcforcRow> rows = output::rcforc_rows(solver_.contact_results());
  const std::span<const Vec3> ties = solver_.tie_forces();
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (const model::Contact& contact = solver_.model().contacts[c];
        model::is_tied(contact.type) && contact.offset != model::TiedOffset::penalty)
      rows[c] = {ties[c], -ties[c], 0.0, 0.0};
  return rows;
}

std::vector<output::SleoutRow> SolverResults::contact_energies() const {
  return output::sleout_rows(solver_.contact_results());
}

std::vector<output::ContactNode> SolverResults::contact_nodes() const {
  return output::ncforc_rows(solver_.contacts().nodal_forces());
}

/// In the axes that the deck asks for.
std::vector<output::SecforcRow> SolverResults::sections() const {
  std::vector<output::SecforcRow> rows;
  for (const explicit_dynamics::SectionForce& f : solver_.section_forces()) {
    const model::CrossSection& section = solver_.model().cross_sections[rows.size()];
    constraints::Matrix3 axes = constraints::identity3();
    if (section.rigid_body != model::kNone) {  // the columns of a body's rotation are its axes
      const constraints::Matrix3 turned =
          constraints::matrix(solver_.rigid_motions()[at(section.rigid_body)].orientation);
      for (int i = 0; i < 3; ++i) axes[at(i)] = {turned[0][i], turned[1][i], turned[2][i]};
    } else if (section.system != model::kNone) {
      axes = solver_.model().systems[at(section.system)].axis;
    }
    rows.push_back(
        {constraints::operator*(axes, f.force), constraints::operator*(axes, f.moment), f.centroid, f.area});
  }
  return rows;
}

std::vector<output::RwforcRow> SolverResults::walls() const {
  std::vector<output::RwforcRow> rows;
  if (const auto* const walls = solver_.links().find<WallLinks>())
    for (const WallLinks::State& s : walls->states()) rows.push_back({s.normal_force, s.force});
  return rows;
}

/// In the axes of the body that the deck asks for.
std::vector<output::JointRow> SolverResults::joints() const {
  std::vector<output::JointRow> rows;
  const auto* const all = solver_.links().find<JointLinks>();
  if (all == nullptr) return rows;
  for (const JointLinks::State& s : all->states()) {
    output::JointRow row{s.force, s.moment, s.energy};
    const LocalId body = solver_.model().features.of<constraints::Joint>()[rows.size()].results_body;
    if (body != model::kNone) {
      const constraints::Matrix3 turn = constraints::matrix(solver_.rigid_motions()[at(body)].orientation);
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
  const auto* const all = solver_.links().find<JointMoments>();
  if (all == nullptr) return rows;
  for (const JointMoments::State& s : all->states()) {
    output::JointStiffnessRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      row.angle[i] = degrees * s.angle[i];
      row.rate[i] = degrees * s.rate[i];
      row.stiffness[i] = s.elastic[i];
      row.damping[i] = s.damping[i];
    }
    row.energy = s.energy;
  }
  return rows;
}

std::vector<output::MatsumRow> SolverResults::parts() const {
  std::vector<output::MatsumRow> rows;
  for (const explicit_dynamics::PartEnergies& p : solver_.parts()) {
    output::MatsumRow row;
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

}  // namespace crumple::implicit
