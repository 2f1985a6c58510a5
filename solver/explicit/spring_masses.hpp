// What springs and dampers have to move: the share of the masses at their ends that each may count on.
//
// The highest frequency of a model is not above that of any of its elements alone, if each is given a share
// of the nodal masses and the shares of a node add up to no more than its mass (Irons and Treharne 1971;
// Belytschko and Lin 1985). Elements with mass have their own, and the step that they find with it. The run
// takes TSSFAC times the smallest step, so they need only TSSFAC^2 of it: 1 - TSSFAC^2 of the elements' mass
// is left to the springs, and all of *ELEMENT_MASS. Where TSSFAC leaves less, a tenth is taken.
//
// The springs and dampers at one node divide that mass so that all of them would have the same step there.
// With the stiffness k and the damping c of each, the mass m, A = sum k / (4 m) and B = sum c / (2 m), this
// step is the root of A dt^2 + B dt = 1, and an element's share of the mass is k dt^2 / (4 m) + c dt / (2 m).
#pragma once

#include <span>

#include "constraints/rigid_bodies.hpp"
#include "decomposition/distribution.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Gives springs and dampers the inverse of what they have to move (elements/discrete/layout.hpp). A node
/// that is tied, welded or interpolated counts with its own mass, one without any with that of the nodes it
/// is linked to, a node of a rigid body with what the body lets a force there move. Collective.
void share_masses_with_springs(const model::Model& model, const state::Nodal& nodal,
                               const constraints::RigidBodies& bodies, const parallel::Communicator& comm,
                               const parallel::Halo& halo, std::span<const state::WritableGroup> groups);

}  // namespace crumple::explicit_dynamics
