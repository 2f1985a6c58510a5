// Penetrations, penalty forces with damping and friction, reactions of the bodies, and work.
#include "loads/entity/contact_entities.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "constraints/rotation.hpp"
#include "contact/contact_system.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

/// Velocity of a node relative to the point of the body there, at t_{n-1/2}.
Vec3 velocity_beside(const constraints::BodyMotion& body, const state::Nodal& nodal, LocalId i) {
  return nodal.v[i] - (body.v + cross(body.w, nodal.x[i] - body.centre));
}

/// Mass that a spring at a node may count with: that of a rigid body's nodes may be larger than the body's.
double mass_behind(const constraints::RigidBodies& bodies, const state::Nodal& nodal, LocalId i) {
  const LocalId body = bodies.body_of(i);
  return body == model::kNone ? nodal.own_mass(at(i)) : bodies.nodal_mass_factor(body) * nodal.mass[at(i)];
}

/// Damping force against an opening speed, by a curve over the speed of penetration. A curve without negative
/// speeds is the same in both directions.
double force_of_damper(const model::Curve& curve, double opening) {
  const bool symmetric = curve.x.empty() || curve.x.front() >= 0.0;
  if (!symmetric) return curve(-opening);
  return opening > 0.0 ? -curve(opening) : curve(-opening);
}

/// Tangential spring with Coulomb's limit. Adds what sliding dissipates to `dissipated`.
Vec3 rub(const Vec3& last, const Vec3& normal, const Vec3& slide, double stiffness, double limit,
         parallel::ExactSum& dissipated) {
  const Vec3 trial = (last - dot(last, normal) * normal) - stiffness * slide;
  const double size = norm(trial);
  if (size <= limit) return trial;
  if (stiffness > 0.0) dissipated += limit * (size - limit) / stiffness;
  return (limit / size) * trial;
}

}  // namespace

ContactEntities::ContactEntities(const model::Model& model, const state::Nodal& nodal,
                                 const parallel::Communicator& comm)
    : model_(&model), comm_(&comm) {
  for (const ContactEntity& input : model.features.of<ContactEntity>()) {
    Entity& entity = entities_.emplace_back();
    entity.input = &input;
    const auto carrier = std::ranges::find(carriers_, input.body, &Carrier::body);
    entity.carrier = static_cast<std::size_t>(carrier - carriers_.begin());
    if (carrier == carriers_.end()) carriers_.push_back({input.body});
    for (std::size_t k = 0; k < input.nodes.size(); ++k) {
      CRUMPLE_ASSERT(at(input.nodes[k]) < nodal.size(), input.nodes[k], nodal.size());
      if (nodal.owner[at(input.nodes[k])] != comm.rank()) continue;
      Tracked& tracked = entity.tracked.emplace_back();
      tracked.node = input.nodes[k];
      if (!input.half_thickness.empty()) tracked.half_thickness = input.half_thickness[k];
    }
  }
}

void ContactEntities::find_hits(Entity& entity, const modules::Cycle& c, parallel::ExactSum& mobile_mass) {
  using constraints::operator*;
  const ContactEntity& input = *entity.input;
  const EntitySurface surface = input.surface();
  const constraints::BodyMotion body = c.bodies.motion(input.body);
  const Vec3 point = body.centre + body.turn * c.bodies.arm(input.body, input.point);
  const constraints::Matrix3 axis{body.turn * input.axis[0], body.turn * input.axis[1],
                                  body.turn * input.axis[2]};
  for (std::size_t k = 0; k < entity.tracked.size(); ++k) {
    const Tracked& tracked = entity.tracked[k];
    const Vec3& x = c.nodal.x[at(tracked.node)];
    const Vec3 y = axis * (x - point);
    if (outside_of_ellipsoid(surface, y)) continue;
    const EntityGap gap = entity_gap(surface, y);
    const double depth = tracked.half_thickness - gap.size;
    if (!(depth > 0.0)) continue;
    const double mass = mass_behind(c.bodies, c.nodal, tracked.node);
    if (!(mass > 0.0)) continue;
    const Vec3 arm = x - body.centre;
    entity.hits.push_back({k, depth, mass, constraints::transpose_times(axis, gap.normal), arm});
    mobile_mass += mass * c.bodies.mobility(input.body, constraints::transpose_times(body.turn, arm));
  }
}

/// @return whether any node touches on any rank. Collective.
bool ContactEntities::find_all_hits(const modules::Cycle& c) {
  std::vector<parallel::ExactSum> sums(carriers_.size() + 1);  // the last counts hits
  for (Entity& entity : entities_) {
    entity.hits.clear();
    if (!entity.acts(c.time) || !(c.penalty_step > 0.0)) continue;
    find_hits(entity, c, sums[entity.carrier]);
    sums.back() += static_cast<double>(entity.hits.size());
  }
  parallel::ExactSum::reduce(*comm_, sums);
  for (std::size_t k = 0; k < carriers_.size(); ++k) carriers_[k].mobile_mass = sums[k].value();
  return sums.back().value() > 0.0;
}

/// The work in the motion at t_{n-1/2} is half that of the last forces and half that of the new ones, as in
/// contact/force/penalty.cpp.
void ContactEntities::count_last_forces(Entity& entity, const modules::Cycle& c) {
  const constraints::BodyMotion body = c.bodies.motion(entity.input->body);
  for (const Tracked& tracked : entity.tracked)
    if (!(tracked.force == Vec3{}))
      entity.work += -0.5 * c.dt_last * dot(tracked.force, velocity_beside(body, c.nodal, tracked.node));
}

double ContactEntities::normal_force(const Entity& entity, const Hit& hit, double stiffness, double opening,
                                     const modules::Cycle& c) const {
  const ContactEntity& input = *entity.input;
  double force = stiffness * hit.depth;
  if (input.damping_curve != model::kNone) {
    force += force_of_damper(model_->curves[at(input.damping_curve)], opening);
  } else if (input.damping > 0.0) {
    const double mass = hit.mass / (1.0 + carriers_[entity.carrier].mobile_mass);
    const double most = mass / c.penalty_step;  // more would turn the speed around in one step
    force -= std::min(2.0 * input.damping * std::sqrt(stiffness * mass), most) * opening;
  }
  return std::max(force, 0.0);  // damping must not cause adhesion
}

void ContactEntities::push(Entity& entity, modules::Cycle& c) const {
  const ContactEntity& input = *entity.input;
  const constraints::BodyMotion body = c.bodies.motion(input.body);
  std::vector<Tracked> touching;  // with their last forces
  for (const Hit& hit : entity.hits) touching.push_back(entity.tracked[hit.tracked]);
  for (Tracked& tracked : entity.tracked) tracked.force = tracked.friction = {}, tracked.stiffness = 0.0;
  const double stable = input.scale * kEntityShare /
                        ((1.0 + carriers_[entity.carrier].mobile_mass) * c.penalty_step * c.penalty_step);
  for (std::size_t k = 0; k < entity.hits.size(); ++k) {
    const Hit& hit = entity.hits[k];
    Tracked& tracked = entity.tracked[hit.tracked];
    const Tracked& last = touching[k];
    tracked.stiffness = stable * hit.mass;
    if (input.force_curve != model::kNone)
      tracked.stiffness = std::max(model_->curves[at(input.force_curve)](hit.depth), 0.0) / hit.depth;
    else if (last.stiffness > 0.0)
      tracked.stiffness = std::min(tracked.stiffness, last.stiffness);
    const Vec3 v = velocity_beside(body, c.nodal, tracked.node);
    const double opening = dot(v, hit.normal);
    const double normal = normal_force(entity, hit, tracked.stiffness, opening, c);
    if (input.friction > 0.0)
      tracked.friction = rub(last.friction, hit.normal, c.dt_last * (v - opening * hit.normal),
                             tracked.stiffness, input.friction * normal, entity.friction_work);
    tracked.force = normal * hit.normal + tracked.friction;
    c.nodal.add_force(tracked.node, tracked.force);
    entity.work += -0.5 * c.dt_last * dot(tracked.force, v);
    if (!entity.acted) entity.work += 0.5 * normal * hit.depth;  // the initial energy
    const Vec3 moment = cross(hit.arm, tracked.force);
    for (int i = 0; i < 3; ++i) {
      entity.reaction[static_cast<std::size_t>(i)] += -tracked.force[i];
      entity.reaction[static_cast<std::size_t>(i) + 3] += -moment[i];
    }
  }
}

void ContactEntities::sum_reactions(bool any) {
  std::vector<parallel::ExactSum> sums;
  if (any) {
    for (const Entity& entity : entities_)
      sums.insert(sums.end(), entity.reaction.begin(), entity.reaction.end());
    parallel::ExactSum::reduce(*comm_, sums);
  }
  for (std::size_t e = 0; e < entities_.size(); ++e)
    for (int i = 0; i < 3; ++i) {
      const std::size_t first = 6 * e + static_cast<std::size_t>(i);
      entities_[e].force[i] = any ? sums[first].value() : 0.0;
      entities_[e].moment[i] = any ? sums[first + 3].value() : 0.0;
    }
}

void ContactEntities::add_forces(modules::Cycle& c) {
  const bool any = find_all_hits(c);
  for (Entity& entity : entities_) {
    entity.reaction = {};
    count_last_forces(entity, c);
    push(entity, c);
    entity.acted = entity.acts(c.time);
  }
  sum_reactions(any);
}

void ContactEntities::add_body_forces(modules::Cycle& c) {
  for (const Entity& entity : entities_) c.bodies.add_load(entity.input->body, entity.force, entity.moment);
}

void ContactEntities::add_results(std::vector<contact::ContactResult>& results) const {
  std::vector<parallel::ExactSum> sums;
  for (const Entity& entity : entities_) {
    sums.push_back(entity.work);
    sums.push_back(entity.friction_work);
    sums.emplace_back() += static_cast<double>(entity.hits.size());
  }
  parallel::ExactSum::reduce(*comm_, sums);
  for (std::size_t e = 0; e < entities_.size(); ++e) {
    contact::ContactResult result;
    result.id = entities_[e].input->id;
    result.force_a = -entities_[e].force;
    result.force_b = entities_[e].force;
    result.energy_a = sums[3 * e].value();
    result.friction_energy = sums[3 * e + 1].value();
    result.touching = static_cast<std::int64_t>(sums[3 * e + 2].value());
    results.push_back(result);
  }
}

/// Which nodes touch is found anew; reactions are of one step.
void ContactEntities::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  static_assert(field_count<Tracked>() == 5 && field_count<Entity>() == 10, "is the new member carried on?");
  const auto here = archive.module("contact entities");
  const std::vector<GlobalId> numbers = state::numbered(entities_.size());
  const Rows equal = Rows::equal(Of::entity, numbers), sums = Rows::sums(Of::entity, numbers, comm_->rank());
  archive.member("acted", equal, std::span(entities_), &Entity::acted);
  archive.member("work", sums, std::span(entities_), &Entity::work);
  archive.member("friction work", sums, std::span(entities_), &Entity::friction_work);
  for (std::size_t e = 0; e < entities_.size(); ++e) {
    std::vector<GlobalId> keys;  // number of the entity, user id of the node
    for (const Tracked& tracked : entities_[e].tracked)
      keys.insert(keys.end(), {numbers[e], model_->nodes.id[at(tracked.node)]});
    const Rows rows = Rows::own(Of::entity, keys, 2);
    archive.member("force", rows, std::span(entities_[e].tracked), &Tracked::force);
    archive.member("friction", rows, std::span(entities_[e].tracked), &Tracked::friction);
    archive.member("stiffness", rows, std::span(entities_[e].tracked), &Tracked::stiffness);
  }
}

std::unique_ptr<modules::Module> ContactEntities::start(const modules::Start& start) {
  if (start.model.features.of<ContactEntity>().empty()) return nullptr;
  return std::make_unique<ContactEntities>(start.model, start.nodal, start.comm);
}

}  // namespace crumple::loads
