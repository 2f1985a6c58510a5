// Accelerations that make nodes follow their curves.
#include "constraints/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "base/error.hpp"
#include "constraints/rigid_bodies.hpp"
#include "loads/load_curve.hpp"
#include "sensors/sensors.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

Motion::Motion(const model::PrescribedMotion& input)
    : kind(input.kind),
      curve(input.curve),
      scale(input.scale),
      birth(input.birth),
      death(input.death),
      id(input.id) {
  const int dof = std::abs(input.dof);
  about_axis = dof >= 9 && dof <= 11;
  const bool along_axis = (dof >= 1 && dof <= 3) || (dof >= 5 && dof <= 7) || about_axis;
  const double length = norm(input.direction);
  if ((!along_axis && dof != 4 && dof != 8) || (along_axis && !about_axis && input.dof < 0))
    throw Error("CR-C101", "prescribed motion of degree of freedom " + std::to_string(input.dof) +
                               " is not supported: 1-3, 5-7, 4, -4, 8, -8, and 9-11 of either sign are");
  if (kind < 0 || kind > (input.rigid_body == model::kNone ? 2 : 3))
    throw Error("CR-C101", "prescribed motion with VAD " + std::to_string(kind) +
                               " is not supported: 0 velocity, 1 acceleration and 2 displacement are, and of "
                               "rigid bodies 3, velocity over displacement");
  if (!along_axis && !(length > 0.0))
    throw Error("CR-C101", "prescribed motion of degree of freedom " + std::to_string(input.dof) +
                               " needs a vector of non-zero length (VID)");
  rotation = dof >= 5 && !about_axis;
  others_held = input.dof < 0 && !about_axis;
  on_ray = input.dof < 0 && about_axis;
  centre = input.axis_point;
  turns = input.local;
  if (along_axis)
    direction[(dof - 1) % 4] = 1.0;
  else
    direction = (1.0 / length) * input.direction;
}

void Motion::add_directions(const Vec3& x, Directions& translation, Directions& rotations) const {
  Directions& space = rotation ? rotations : translation;
  if (about_axis) {
    const Vec3 arm = x - centre, out = arm - dot(arm, direction) * direction;
    if (norm(out) > 0.0) space.add((1.0 / norm(out)) * cross(direction, out));
    if (!on_ray && norm(out) > 0.0) space.add((1.0 / norm(out)) * out);
    return;
  }
  space.add(direction);
  for (int k = 0; others_held && k < 3; ++k) space.add(identity3()[k]);
}

/// The arm turns by the angle, whatever the step: on the circle it keeps its length, on the ray the node
/// reaches the line through the axis where the ray is at the end of the step.
Vec3 Motion::turned(const Vec3& x, const Vec3& v, const Vec3& a, double angle, double dt_v,
                    double dt_x) const {
  const Vec3 arm = x - centre, out = arm - dot(arm, direction) * direction;
  const Vec3 side = cross(direction, out);  // as long as the arm
  const Vec3 way = (std::cos(angle) - 1.0) * out + std::sin(angle) * side;
  if (on_ray) {
    const Vec3 across = std::cos(angle) * side - std::sin(angle) * out;
    const double length2 = dot(across, across);
    if (!(length2 > 0.0)) return a;
    const double target = -dot(out, across) / dt_x;  // times the length of the arm
    return a + (((target - dot(v, across)) / dt_v - dot(a, across)) / length2) * across;
  }
  const Vec3 change = (1.0 / dt_v) * ((1.0 / dt_x) * way - v) - a;
  return a + change - dot(change, direction) * direction;
}

double Motion::displacement(const model::Model& model, double time, model::Stage stage) const {
  if (curve == model::kNone || model.curves[curve].x.empty()) return 0.0;
  const model::Curve& c = model.curves[curve];
  if (!c.acts(stage)) return 0.0;
  const double first = birth > 0.0 ? c.x.front() : 0.0;
  return scale * (c(time - std::max(birth, 0.0) + first) - c(first));
}

bool Motion::yields_to(const Motion& other, const model::Model& model, double time,
                       model::Stage stage) const {
  const auto acts = [&](const Motion& m) {
    return m.curve == model::kNone || model.curves[m.curve].acts(stage);
  };
  return !acts(*this) && acts(other) && other.active(time) && other.rotation == rotation &&
         (other.others_held || about_axis || other.about_axis || dot(direction, other.direction) != 0.0);
}

double Motion::value(const model::Model& model, double time, model::Stage stage) const {
  const bool shifted = birth > 0.0 && curve != model::kNone && !model.curves[curve].x.empty();
  const double offset = shifted ? model.curves[curve].x.front() - birth : 0.0;
  return scale * loads::load_value(model, curve, time + offset, stage);
}

bool Motion::has_values_of(const Motion& other) const {
  return kind == other.kind && curve == other.curve && scale == other.scale && birth == other.birth;
}

PrescribedMotion::PrescribedMotion(const model::Model& model, int rank) : model_(&model), rank_(rank) {
  std::map<LocalId, std::vector<Driven>> of_node;
  for (const model::PrescribedMotion& input : model.motions)
    if (input.node != model::kNone) of_node[input.node].push_back({Motion(input)});
  const auto place = [&] { return static_cast<std::int32_t>(driven_.size()); };
  for (const auto& [node, driven] : of_node) {
    const std::int32_t first = place();
    driven_.insert(driven_.end(), driven.begin(), driven.end());
    nodes_.push_back({node, first, place(), {}, {}, {}});
  }
}

std::span<PrescribedMotion::Driven> PrescribedMotion::motions_of(const NodeMotions& entry) {
  return std::span(driven_).subspan(entry.first, entry.end - entry.first);
}

std::span<const PrescribedMotion::Driven> PrescribedMotion::motions_of(const NodeMotions& entry) const {
  return std::span(driven_).subspan(entry.first, entry.end - entry.first);
}

/// Whether a motion moves its node at `time`, and does not yield to another motion of the node.
bool PrescribedMotion::acts(const Driven& driven, std::span<const Driven> of_node, double time,
                            model::Stage stage) const {
  const auto leaves_to = [&](const Driven& d) {
    return driven.motion.yields_to(d.motion, *model_, time, stage);
  };
  return driven.motion.active(time) && std::ranges::none_of(of_node, leaves_to);
}

void PrescribedMotion::add_driven(LocalId node, const Vec3& x, double time, model::Stage stage,
                                  Directions& translation, Directions& rotation) const {
  const auto entry = std::ranges::lower_bound(nodes_, node, {}, &NodeMotions::node);
  if (entry == nodes_.end() || entry->node != node) return;
  for (const Driven& driven : motions_of(*entry)) {
    if (acts(driven, motions_of(*entry), time, stage)) driven.motion.add_directions(x, translation, rotation);
  }
}

/// Evaluates the curve again if `now` is of another curve.
void PrescribedMotion::read_curve(const Motion& motion, double time, double dt_x, model::Stage stage,
                                  CurveNow& now) const {
  if (now.motion && motion.has_values_of(*now.motion)) return;
  now = {.motion = &motion};
  if (motion.kind == 2)
    now.from = motion.displacement(*model_, time, stage),
    now.to = motion.displacement(*model_, time + dt_x, stage);
  else
    now.value = motion.value(*model_, motion.kind == 0 ? time + 0.5 * dt_x : time, stage);
}

double PrescribedMotion::rate(Driven& driven, const CurveNow& now, const Vec3& x, double v, double dt_v,
                              double dt_x) {
  const Motion& m = driven.motion;
  if (m.kind == 0) return now.value;
  if (m.kind == 1) return v + now.value * dt_v;
  if (m.rotation) return (now.to - now.from) / dt_x;  // nodes have no angle to correct
  MotionStart& start = driven.start;
  if (!start.started) start = {true, x - now.from * m.direction};
  return (now.to - dot(x - start.position, m.direction)) / dt_x;
}

void PrescribedMotion::apply(state::Nodal& nodal, double time, double dt_v, double dt_x, model::Stage stage) {
  const bool first = 2 * dt_v <= dt_x;
  work_.begin_step(first);
  parallel::CollectedSum half_with_old, half_with_new;
  CurveNow now;
  for (NodeMotions& entry : nodes_) {
    const LocalId i = entry.node;
    const Vec3 a_free = nodal.a[i], alpha_free = nodal.alpha[i];
    const std::span<Driven> motions = motions_of(entry);
    for (Driven& driven : motions) {
      const Motion& m = driven.motion;
      if (!acts(driven, motions, time, stage)) continue;
      const Vec3& v = m.rotation ? nodal.w[i] : nodal.v[i];
      Vec3& a = m.rotation ? nodal.alpha[i] : nodal.a[i];
      const double v_along = dot(v, m.direction);
      read_curve(m, time, dt_x, stage, now);
      if (m.about_axis) {
        a = m.turned(nodal.x[i], v, a, m.kind == 0 ? now.value * dt_x : now.to - now.from, dt_v, dt_x);
        continue;
      }
      const double target = rate(driven, now, nodal.x[i], v_along, dt_v, dt_x);
      if (m.others_held)
        a = (1.0 / dt_v) * (target * m.direction - v);
      else
        a += ((target - v_along) / dt_v - dot(a, m.direction)) * m.direction;
    }
    if (nodal.owner[i] != rank_) continue;
    const auto answer = [&](double mass, const Vec3& taken, const parallel::FixedVector& load,
                            bool rotation) {
      if (mass > 0.0 || load.is_zero()) return (mass * dt_v) * taken;
      Directions spaces[2];
      add_driven(i, nodal.x[i], time, stage, spaces[0], spaces[1]);
      return -dt_v * spaces[rotation].part_of(load.value());
    };
    const parallel::LoadSum& loads = nodal.loads[i];
    const Vec3 impulse = answer(nodal.mass[i], nodal.a[i] - a_free, loads.force, false);
    const Vec3 twist = answer(nodal.inertia[i], nodal.alpha[i] - alpha_free, loads.moment, true);
    const double with_old = dot(impulse, nodal.v[i]) + dot(twist, nodal.w[i]);
    const double with_new = with_old + dt_v * (dot(impulse, nodal.a[i]) + dot(twist, nodal.alpha[i]));
    half_with_old += 0.5 * with_old;
    half_with_new += 0.5 * with_new;
    entry.force = (1.0 / dt_v) * impulse;
    entry.moment = (1.0 / dt_v) * twist;
    entry.work.done += entry.work.after + (first ? 0.0 : 0.5 * with_old);
    entry.work.after = 0.5 * with_new + (first ? 0.5 * with_old : 0.0);
  }
  work_.add(half_with_old.sum(), half_with_new.sum());
}

void PrescribedMotion::start_again() {
  for (Driven& driven : driven_) driven.start.started = false;
}

std::vector<PrescribedMotion::Drive> PrescribedMotion::drives(const state::Nodal& nodal) const {
  std::vector<Drive> result;
  for (const NodeMotions& entry : nodes_)
    if (nodal.owner[entry.node] == rank_)
      result.push_back({entry.node, entry.force, entry.moment, entry.work.done});
  return result;
}

void PrescribedMotion::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  using state::Of, state::Rows;
  static_assert(field_count<NodeMotions>() == 6 && field_count<Driven>() == 2,
                "is the new member carried on?");
  const auto here = archive.module("prescribed motion");
  std::vector<GlobalId> ids, motions;  // motions: of which node, and which of its motions
  std::vector<int> owners;
  for (const NodeMotions& entry : nodes_) {
    ids.push_back(model_->nodes.id[entry.node]);
    owners.push_back(nodes.owner(entry.node));
    for (std::int32_t k = entry.first; k < entry.end; ++k)
      motions.insert(motions.end(), {ids.back(), k - entry.first});
  }
  archive.member("work", Rows::owned(ids, owners, rank_), std::span(nodes_), &NodeMotions::work);
  archive.member("start", Rows::equal(Of::entity, motions, 2), std::span(driven_), &Driven::start);
  archive.global_sum("work of all", work_, rank_);
}

std::unique_ptr<modules::Module> PrescribedMotion::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.motions.empty())) return nullptr;
  auto motions = std::make_unique<PrescribedMotion>(start.model, start.comm.rank());
  motions->sensors_ = start.started.find<sensors::Sensors>();
  return motions;
}

/// One that is switched on again begins anew: its displacements are relative to where the node is then.
void PrescribedMotion::add_forces(modules::Cycle& c) {
  if (sensors_ == nullptr) return;
  for (const sensors::Control& control : sensors_->input().controls) {
    if (control.kind != sensors::Controlled::motion) continue;
    const bool on = sensors_->is_on(control);
    for (Driven& driven : driven_) {
      if (driven.motion.id != control.entity) continue;
      driven.motion.off = !on;
      if (!on) driven.start.started = false;
    }
    c.bodies.switch_motions(control.entity, on);
  }
}

void PrescribedMotion::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const model::PrescribedMotion& motion : model_->motions)
    if (motion.node != model::kNone) nodes.push_back(motion.node);
}

}  // namespace crumple::constraints
