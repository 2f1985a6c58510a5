// Begins from what the explicit scheme, or a relaxation, has left, and leaves the state to what follows.
#include <cmath>

#include "implicit/solver.hpp"

namespace crumple::implicit {

using constraints::operator*;

/// Contacts find what touches at the present positions. Velocities count where inertia does: from the first
/// step on, with accelerations by the forces at the start.
void Solver::take(const phases::CarriedState& from) {
  time_ = from.time;
  cycle_ = first_cycle_ = from.cycle;
  nodal_.x = from.x;
  rotation_ = from.rotation;
  state::CopyReader reader(from.fields);
  elements_.archive(reader);
  if (strains_) strains_->archive(reader, subdomain_->model);
  if (!from.begins_run) modules_.each(&modules::Module::archive, reader, subdomain_->nodes);
  take_bodies(from);
  end_with_elements(elements_.gone());
  leave_out_parts();
  if (welds_.any()) {
    welds_.begin_with(from.links.broken, from.links.breaks);
    regroup_welds();
  }
  begin_links(from.links);
  list_unknowns();
  if (control_->relief.active || for_modes_) give_unknowns_to_masses(false);
  if (control_->dynamics.active) take_velocities(from);
  initial_energy_ = from.totals.initial;
  if (from.begins_run && inertia_) initial_energy_ = balance().total;
  if (!from.begins_run) before_ = from.totals - totals();
}

void Solver::begin_links(const phases::CarriedLinks& from) {
  std::vector<constraints::Quaternion> orientation;
  for (const RigidMotion& body : rigid_motions_) orientation.push_back(body.orientation);
  links_.begin_at({points_, orientation, time_, from});
}

void Solver::take_bodies(const phases::CarriedState& from) {
  std::copy(from.x.begin(), from.x.end(), points_.begin());
  for (std::size_t b = 0; b < rigid_motions_.size() && b < from.bodies.size(); ++b) {
    const phases::CarriedBody& body = from.bodies[b];
    const RigidPoint& point = rigid_points_[b];
    RigidMotion& motion = rigid_motions_[b];
    motion.centre = body.centre;
    motion.displacement = body.centre - point.centre0;
    motion.rotation = body.turned;
    motion.orientation = body.orientation;
    points_[at(dependents_.centre(b))] = body.centre;
    points_[at(dependents_.body_point(b))] =
        body.centre + constraints::matrix(body.orientation) * (point.point0 - point.centre0);
  }
}

void Solver::take_velocities(const phases::CarriedState& from) {
  const bool rest = control_->switching.rest && !from.begins_run;
  if (!from.begins_run) {
    nodal_.v = rest ? AlignedVector<Vec3>(nodal_.size()) : from.v;
    nodal_.w = rest ? AlignedVector<Vec3>(nodal_.size()) : from.w;
  } else {
    nodal_.v = initial_v_;
    nodal_.w = initial_w_;
  }
  std::vector<constraints::RigidBodies::Velocity> bodies = rigid_bodies_.velocities();
  for (std::size_t b = 0; b < bodies.size() && !from.begins_run; ++b)
    bodies[b] = rest ? constraints::RigidBodies::Velocity{}
                     : constraints::RigidBodies::Velocity{from.bodies[b].v, from.bodies[b].w};
  start_motion(bodies);
  keep_motion();
}

/// Motion is zero in statics.
phases::CarriedState Solver::leave() {
  elements_.take_all();
  phases::CarriedState to;
  to.time = time_;
  to.cycle = cycle_;
  to.x = nodal_.x;
  to.v = inertia_ ? nodal_.v : zero_;
  to.w = inertia_ ? nodal_.w : zero_;
  to.rotation = rotation_;
  for (std::size_t b = 0; b < subdomain_->model.rigid_bodies.size(); ++b) {
    const RigidMotion& body = rigid_motions_[b];
    to.bodies.push_back({body.centre, body.rotation, body.orientation, body.velocity, body.angular_velocity});
  }
  state::CopyWriter writer(to.fields);
  elements_.archive(writer);
  if (strains_) strains_->archive(writer, subdomain_->model);
  modules_.each(&modules::Module::archive, writer, subdomain_->nodes);
  const Increment none(points_.size());
  links_.leave({points_, none, 0.0, time_}, to.links);
  for (const SupportShare& share : support_shares()) to.links.joints.supports.push_back(share.force);
  to.links.broken.assign(welds_.broken().begin(), welds_.broken().end());
  to.links.breaks = welds_.breaks();
  const Balance now = balance();
  to.totals = before_;
  to.totals.external_work = now.external_work;
  to.totals.sliding = now.sliding;
  to.totals.damping = now.damping;
  to.totals.joint = now.joint;
  to.totals.stonewall = now.walls;
  to.totals.initial = now.initial;
  return to;
}

}  // namespace crumple::implicit
