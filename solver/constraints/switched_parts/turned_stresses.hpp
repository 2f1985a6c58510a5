// Stresses of elements that a rigid body carries with it.
//
// The elements of a rigid part are not computed, so they keep the stress they had, which turns with the body:
// s becomes R s R^T. Stresses of shells, beams and layers are in axes that follow from the nodes, and need
// nothing. Those of solids are along the global axes, and so are the hourglass stresses of types 4 and 5 (a
// vector for each pattern) and the s axis that a beam keeps. They are turned in each cycle by what the body
// has turned in the last step, as the elements themselves would do.
#pragma once

#include "constraints/rotation.hpp"
#include "state/group_view.hpp"

namespace crumple::constraints {

/// Turns what the elements of a group keep along global axes by `r`, by rows.
void turn_stresses(const state::WritableGroup& group, const Matrix3& r);

}  // namespace crumple::constraints
