// Which point of a rigid body has its unknowns, and which of these are held.
#include "implicit/rigid_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "constraints/joints/joint.hpp"
#include "implicit/welds.hpp"

namespace crumple::implicit {

using constraints::Directions;
using model::kNone;
using model::Support;

namespace {

constexpr double kParallel = 1e-8;  ///< sine of the angle between directions that count as parallel

bool contains(const Directions& space, const Vec3& d) {
  return norm(space.removed_from(d)) <= kParallel * norm(d);
}

/// A translation that a node of the body holds: the constraint d . (v + w x r) = 0, r from the body's point.
struct HeldPoint {
  Vec3 point, direction;
  GlobalId node = 0;
};

std::vector<HeldPoint> held_points(const model::Model& model, LocalId body) {
  std::vector<HeldPoint> all;
  for (const Support& s : model.supports)
    for (int k = 0; s.body == body && k < 3; ++k)
      if (s.mask & (1u << k)) all.push_back({s.point, s.axis[at(k)], s.node_id});
  return all;
}

/// Adds what follows from a constraint with the arm r, if it can be said by held directions.
bool take(const HeldPoint& held, const Vec3& r, NodeFreedoms& by) {
  const Vec3 about = cross(r, held.direction);
  const bool turns_freely_there = norm(about) > kParallel * norm(r);
  if (contains(by.translation, held.direction)) {
    if (turns_freely_there) by.rotation.add(about);
    return true;
  }
  if (turns_freely_there && !contains(by.rotation, about)) return false;
  by.translation.add(held.direction);
  return true;
}

/// Whether d . (w x r) stays zero while the body turns about its free axes.
bool stays_exact(const HeldPoint& held, const Vec3& r, const Directions& free) {
  if (norm(r) == 0.0) return true;
  if (free.count > 1) return false;
  for (int k = 0; k < free.count; ++k)
    if (norm(cross(free.axis[at(k)], held.direction)) > kParallel &&
        norm(cross(free.axis[at(k)], r)) > kParallel * norm(r))
      return false;
  return true;
}

/// Tries a point with what holds the body there; true if all constraints are exact.
bool try_point(const Vec3& point, std::span<const HeldPoint> held, NodeFreedoms& by) {
  std::vector<char> taken(held.size(), 0);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < held.size(); ++k)
      if (!taken[k] && take(held[k], held[k].point - point, by)) taken[k] = 1, again = true;
  }
  const Directions free = by.rotation.complement();
  for (std::size_t k = 0; k < held.size(); ++k)
    if (!taken[k] || !stays_exact(held[k], held[k].point - point, free)) return false;
  return true;
}

/// Whether motion along the point is prescribed: then it must be the centre of mass.
bool is_driven(const model::Model& model, LocalId body) {
  for (const model::PrescribedMotion& m : model.motions)
    if (m.rigid_body == body && std::abs(m.dof) <= 4) return true;
  return false;
}

/// The first node of the body's first joint with a body before it, or else with any: turns about it do not
/// open that joint, however far they go.
std::optional<Vec3> jointed_point(const model::Model& model, LocalId body) {
  std::optional<Vec3> point;
  for (const constraints::Joint& joint : model.features.of<constraints::Joint>()) {
    if (joint.bodies[0] != body && joint.bodies[1] != body) continue;
    if (std::min(joint.bodies[0], joint.bodies[1]) < body) return joint.points[0];
    if (!point) point = joint.points[0];
  }
  return point;
}

}  // namespace

RigidPoint welded_point(const model::Model& model, std::span<const LocalId> nodes, std::span<const Vec3> x) {
  RigidPoint p;
  p.nodes.assign(nodes.begin(), nodes.end());
  p.name = nodes.empty() ? "welded nodes that have parted"
                         : fmt::format("the welded nodes at node {}", model.nodes.id[at(nodes.front())]);
  for (const LocalId n : nodes) p.point0 += (1.0 / double(nodes.size())) * x[at(n)];
  p.centre0 = p.point0;
  return p;
}

std::string name_of_body(const model::RigidBody& body) {
  return fmt::format("the rigid body of {} {}", body.nodal ? "nodal body" : "part", body.part_id);
}

std::vector<RigidPoint> rigid_points(const model::Model& model, const constraints::RigidBodies& bodies) {
  std::vector<RigidPoint> all;
  for (int b = 0; b < bodies.size(); ++b) {
    const model::RigidBody& input = model.rigid_bodies[at(b)];
    RigidPoint p;
    p.point0 = p.centre0 = bodies.motion(b).centre;
    p.mass = bodies.mass(b);
    p.parts = !input.parts.empty();
    p.nodes = input.nodes;
    p.name = name_of_body(input);
    p.by_cmo = {bodies.held_translation_by_cmo(b), bodies.held_rotation_by_cmo(b)};
    p.held = p.by_cmo;
    for (const Support& s : model.supports)
      for (int k = 0; s.body == b && k < 3; ++k)
        if (s.mask & (8u << k)) p.held.rotation.add(s.axis[at(k)]);
    const std::vector<HeldPoint> held = held_points(model, static_cast<LocalId>(b));
    std::vector<Vec3> candidates{p.centre0};
    for (const HeldPoint& h : held)
      if (!is_driven(model, static_cast<LocalId>(b))) candidates.push_back(h.point);
    bool found = held.empty();
    const bool any_point =
        found && p.held.translation.count == 0 && !is_driven(model, static_cast<LocalId>(b));
    if (const auto joint = jointed_point(model, static_cast<LocalId>(b)); joint && any_point)
      p.point0 = *joint;
    for (std::size_t k = 0; !found && k < candidates.size(); ++k) {
      // What CMO holds is the centre: another point moves with it only if it holds all the same.
      NodeFreedoms by = p.held;
      if (k > 0 && p.held.translation.count > 0 && p.held.rotation.count < 3) break;
      found = try_point(candidates[k], held, by);
      if (found) p.point0 = candidates[k], p.held = by;
    }
    if (!found)
      throw Error(
          "CR-I101",
          fmt::format("{}: translations of its nodes ({} of them, the first of node {}) are held in a "
                      "way that implicit analysis does not have: hold the body by CMO, CON1 and CON2, "
                      "or at one node",
                      name_of_body(input), held.size(), held.front().node));
    all.push_back(p);
  }
  const Welds welds(model);
  const std::vector<std::vector<LocalId>> groups = welds.groups();
  for (std::size_t g = 0; g < welds.most_groups(); ++g)
    all.push_back(welded_point(model, g < groups.size() ? groups[g] : std::vector<LocalId>{}, model.nodes.x));
  return all;
}

}  // namespace crumple::implicit
