// Reactions of single-point constraints on nodes of rigid bodies: what they do to the bodies, node by node.
//
// What a penalty holds (joints.hpp) answers at its own node. What is held exactly (RigidBodies) is held of
// the body, and several nodes may hold the same: of all forces and moments at these nodes that add up to what
// the body gets, those with the least sum of squares are taken. So equal constraints have equal shares.
#pragma once

#include <vector>

#include "constraints/joints/joints.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"

namespace crumple::constraints {

/// What one of Model::supports does to its body at its node, at the time of the last advance.
struct SupportReaction {
  Vec3 force, moment;
};

/// One for each of Model::supports; the same on every rank. What CMO of a body holds as well is not in it.
std::vector<SupportReaction> support_reactions(const model::Model& model, const RigidBodies& bodies,
                                               const Joints& joints);

}  // namespace crumple::constraints
