// What changes in the state of a solver between two steps, by user numbers: for restarts with a small deck.
#pragma once

#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::explicit_dynamics {

/// New velocities of nodes: v + w x (x - centre) if they turn about a point, else v; and angular velocity w.
struct VelocityRule {
  bool all = false;             ///< of all nodes
  std::vector<GlobalId> nodes;  ///< ascending
  Vec3 v, w, centre;
  bool turns = false;
};
CRUMPLE_MEMBERS(VelocityRule, all, nodes, v, w, centre, turns)

/// New velocity of the centre of a rigid body, and its angular velocity.
struct BodyVelocity {
  GlobalId part = 0;
  Vec3 v, w;
};
CRUMPLE_MEMBERS(BodyVelocity, part, v, w)

/// The same on every rank. Lists of numbers ascend.
struct StateChanges {
  std::vector<GlobalId> parts;  ///< whose elements are deleted
  std::vector<GlobalId> shells, solids, beams;
  bool rest = false;                     ///< first all velocities become zero
  std::vector<VelocityRule> velocities;  ///< then these, in this order; later ones win
  std::vector<BodyVelocity> bodies;      ///< at last those of bodies

  bool deletes() const { return !(parts.empty() && shells.empty() && solids.empty() && beams.empty()); }
  bool moves() const { return rest || !velocities.empty() || !bodies.empty(); }
  bool any() const { return deletes() || moves(); }
};
CRUMPLE_MEMBERS(StateChanges, parts, shells, solids, beams, rest, velocities, bodies)

}  // namespace crumple::explicit_dynamics
