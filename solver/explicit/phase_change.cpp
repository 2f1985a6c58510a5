// Begins from what implicit steps have left, and leaves the state to implicit steps.
//
// Stresses that are carried on are those at the positions that come with them. The first step has no length
// behind it, as after dynamic relaxation: elements find the forces of their stresses and change nothing. With
// the velocities at that time it makes half a step's acceleration, so that later ones are at half steps.
#include <algorithm>

#include "constraints/joint_stiffness/joint_stiffnesses.hpp"
#include "constraints/joints/joints.hpp"
#include "explicit/solver.hpp"

namespace crumple::explicit_dynamics {

namespace {
constexpr double kNoLength = 1e-18;  ///< of a step behind the first one
}

void Solver::take(const phases::CarriedState& from) {
  time_ = from.time;
  cycle_ = first_cycle_ = from.cycle;
  nodal_.x = from.x;
  rotation_ = from.rotation;
  state::CopyReader reader(from.fields);
  elements_->archive_state(reader);
  if (strains_) strains_->archive(reader, subdomain_->model);
  if (!from.begins_run) {
    modules_.each(&modules::Module::archive, reader, subdomain_->nodes);
    nodal_.v = from.v;
    nodal_.w = from.w;
  }
  std::vector<contact::DeletedElement> gone;
  for (const state::GroupView& g : elements_->groups())
    for (std::int32_t e = 0; e < g.count; ++e)
      if (!g.is_alive(e)) gone.push_back({g.kind(), g.element[static_cast<std::size_t>(e)]});
  for (const contact::DeletedElement& e : gone)
    modules_.each(&modules::Module::delete_element, e.kind, e.element);
  if (!gone.empty()) end_with_elements(gone);
  const std::vector<constraints::RigidBodies::Velocity> of_deck = rigid_bodies_.velocities();
  for (int b = 0; b < rigid_bodies_.size(); ++b) {
    const phases::CarriedBody& body = from.bodies[static_cast<std::size_t>(b)];
    const auto velocity = from.begins_run ? of_deck[static_cast<std::size_t>(b)]
                                          : constraints::RigidBodies::Velocity{body.v, body.w};
    rigid_bodies_.place(b, {body.centre, body.orientation, body.turned}, velocity, nodal_);
  }
  take_links(from.links);
  node_ties_.initialize(nodal_);
  spot_welds_.begin_with(from.links.broken, from.links.breaks, nodal_);
  dependent_nodes_.start_again();
  if (!from.begins_run) {
    before_ = from.totals - totals(modules_.work());
    initial_energy_ = from.totals.initial;
  }
  dt_ = kNoLength * std::min(rigid_step_, subdomain_->model.control.end_time);
  bound_motion();
}

/// At present positions, of bodies, too.
void Solver::take_links(const phases::CarriedLinks& from) {
  if (auto* const joints = modules_.find<constraints::Joints>())
    joints->begin_with(from.joints, rigid_bodies_);
  if (auto* const angles = modules_.find<constraints::JointStiffnesses>()) angles->begin_with(from.angles);
  tie_springs_.begin_with(from.ties, nodal_);
}

phases::CarriedState Solver::leave() {
  phases::CarriedState to;
  to.time = snapshot_.time;
  to.cycle = snapshot_.cycle;
  to.x = snapshot_.x;
  to.v = snapshot_.v;
  to.w = snapshot_.w;
  to.rotation = snapshot_.rotation;
  for (int b = 0; b < rigid_bodies_.size(); ++b) {
    const constraints::RigidBodyState& s = rigid_bodies_.kept_state(b);
    to.bodies.push_back(
        {s.position, s.rotation, constraints::quaternion_of(s.direction), s.velocity, s.angular_velocity});
  }
  state::CopyWriter writer(to.fields);
  elements_->archive_state(writer);
  if (strains_) strains_->archive(writer, subdomain_->model);
  modules_.each(&modules::Module::archive, writer, subdomain_->nodes);
  if (const auto* const joints = modules_.find<constraints::Joints>()) to.links.joints = joints->loads();
  if (const auto* const angles = modules_.find<constraints::JointStiffnesses>())
    to.links.angles = angles->angles();
  to.links.ties = tie_springs_.loads();
  to.links.broken.assign(spot_welds_.broken().begin(), spot_welds_.broken().end());
  to.links.breaks = spot_welds_.breaks();
  const Balance now = balance();
  to.totals = {now.external_work,  now.sliding, now.damping - now.parts.damping, now.joint, now.stonewall,
               now.eroded_kinetic, now.initial};
  return to;
}

}  // namespace crumple::explicit_dynamics
