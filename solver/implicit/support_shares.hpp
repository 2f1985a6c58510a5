// Reactions of constrained nodes of a rigid body from the reaction on the whole body.
//
// Several nodes may hold the same motion. Of all forces and moments along the held directions whose resultant
// is the reaction, those with the least sum of squares are taken, moments divided by a length: with the
// columns (d, r x d) of translations and (0, d) of rotations in A, they are A' (A A')^+ (F, M).
#pragma once

#include <vector>

#include "implicit/rigid_points.hpp"
#include "model/model.hpp"

namespace crumple::implicit {

/// Force and moment of one of Model::supports on its body.
struct SupportShare {
  Vec3 force, moment;
};

/// Adds the reactions of a body's supports, in the order of Model::supports.
/// @param force, moment on the body, about its point; what CMO holds is not the supports'
/// @param turned the body's rotation since the start, by rows
void add_support_shares(const model::Model& model, LocalId body, const RigidPoint& point,
                        const constraints::Matrix3& turned, Vec3 force, Vec3 moment,
                        std::vector<SupportShare>& to);

}  // namespace crumple::implicit
