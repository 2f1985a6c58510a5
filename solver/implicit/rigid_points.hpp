// Rigid bodies of an implicit run: the point of each whose motion and turn are unknowns, and what holds it.
//
// The point is the centre of mass, unless single nodes hold the body, which may turn about them: then it is
// one of these nodes; or a joint, about which the body turns far. Held translations of other nodes hold
// rotations about the point or follow from others; what no choice of the point makes exact for finite turns
// is refused. Nodes that welds hold together are a body without mass, about their mean.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "implicit/dof_map.hpp"
#include "model/model.hpp"

namespace crumple::implicit {

struct RigidPoint {
  Vec3 point0;   ///< at t = 0
  Vec3 centre0;  ///< of mass, at t = 0
  double mass = 0;
  NodeFreedoms held;    ///< by CMO, CON1 and CON2, and by constraints of nodes
  NodeFreedoms by_cmo;  ///< of these, by CMO, CON1 and CON2
  bool parts = false;   ///< has rigid parts: body loads act at its centre
  std::vector<LocalId> nodes;
  std::string name;  ///< for messages
};

/// One for each of Model::rigid_bodies, then one for each group of welded nodes, with empty ones for what
/// groups part into when welds break. Throws Error CR-I101 for
/// constraints of nodes that would need more than one point.
std::vector<RigidPoint> rigid_points(const model::Model& model, const constraints::RigidBodies& bodies);

/// Of nodes that welds join, about their mean. @param x (n_nodes) positions
RigidPoint welded_point(const model::Model& model, std::span<const LocalId> nodes, std::span<const Vec3> x);

/// How messages name a body.
std::string name_of_body(const model::RigidBody& body);

}  // namespace crumple::implicit
