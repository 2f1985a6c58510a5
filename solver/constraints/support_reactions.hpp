// Reactions of single-point constraints on nodes of rigid bodies, node by node.
//
// The reaction of a penalty (joints.hpp) acts at its own node. Freedoms that are held exactly (RigidBodies)
// are held for the whole body, and several nodes may hold the same one. Of all forces and moments at these
// nodes with the right sum, those with the least sum of squares are taken. So equal constraints have equal
// parts.
#pragma once

#include <vector>

#include "constraints/joints.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"

namespace crumple::constraints {

/// Reaction of one of Model::supports on its body at its node, at the time of the last advance.
struct SupportReaction {
  Vec3 force, moment;
};

/// One for each of Model::supports; the same on every rank. Directions that CMO of the body also holds are
/// not included.
std::vector<SupportReaction> support_reactions(const model::Model& model, const RigidBodies& bodies,
                                               const Joints& joints);

}  // namespace crumple::constraints
