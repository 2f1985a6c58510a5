// Checks whether moving nodes approach rigid walls.
#include "model/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loads/body/body_load.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"

namespace crumple::loads {

using model::InitialVelocity;
using model::kNone;
using model::Model;
using model::PrescribedMotion;
using model::RigidBody;

namespace {

std::vector<Vec3> initial_velocities(const Model& m) {
  std::vector<Vec3> v(m.nodes.size());
  for (const InitialVelocity& given : m.initial_velocities) v[at(given.node)] = given.v;
  for (const RigidBody& body : m.rigid_bodies)
    if (body.velocity_given)
      for (const LocalId n : body.nodes) v[at(n)] = body.v;
  return v;
}

/// Whether something other than the initial velocity may move nodes towards a wall.
bool is_pulled(const Model& m, const RigidWall& wall) {
  for (const BodyLoad& load : m.features.of<BodyLoad>())
    if (load.axis > 2 || std::abs(wall.normal[load.axis]) > 0.1) return true;
  return std::any_of(m.motions.begin(), m.motions.end(), [](const PrescribedMotion& motion) {
    return std::abs(motion.dof) <= 4 || std::abs(motion.dof) >= 9;
  });
}

enum class Heading { to_it, away, neither };

/// Heading of the nodes that a plane wall tracks.
Heading heading(const Model& m, const std::vector<Vec3>& velocity, const RigidWall& wall) {
  const bool plane = wall.shape == WallShape::plane || wall.shape == WallShape::finite_plane;
  if (!plane || wall.motion_curve != kNone) return Heading::to_it;  // not known
  double least = 0.0, sum = 0.0, speeds = 0.0, fastest = 0.0;
  for (const LocalId n : wall.nodes) {
    const Vec3& v = velocity[at(n)];
    const double speed = norm(v);
    if (speed == 0.0 && wall.v0 == 0.0) continue;
    const double leaves = dot(v, wall.normal) - wall.v0;
    least = std::min(least, leaves);
    sum += leaves;
    speeds += speed;
    fastest = std::max(fastest, std::max(speed, std::abs(wall.v0)));
  }
  if (least < -1e-6 * fastest) return Heading::to_it;
  return sum > 0.5 * speeds && speeds > 0.0 && !is_pulled(m, wall) ? Heading::away : Heading::neither;
}

}  // namespace

void add_wall_doubts(const Model& m, std::vector<model::Doubt>& doubts) {
  const std::vector<RigidWall>& walls = m.features.of<RigidWall>();
  if (walls.empty()) return;
  const std::vector<Vec3> velocity = initial_velocities(m);
  std::vector<GlobalId> left;
  for (const RigidWall& wall : walls) {
    const Heading of_nodes = heading(m, velocity, wall);
    if (of_nodes == Heading::to_it) return;
    if (of_nodes == Heading::away) left.push_back(wall.id);
  }
  if (left.empty()) return;
  doubts.push_back(
      {"CR-D343",
       fmt::format("what has a velocity moves away from rigid wall{} {}, and towards no other: the "
                   "normal or the velocity may point the wrong way",
                   left.size() == 1 ? "" : "s", model::listed(left)),
       {},
       "RIGIDWALL"});
}

}  // namespace crumple::loads
