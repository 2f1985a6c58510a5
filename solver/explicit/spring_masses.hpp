// The part of the nodal masses at their ends that is available to each spring and damper.
//
// The highest frequency of a model is not above that of any of its elements alone, if each is given a share
// of the nodal masses and the shares of a node add up to no more than its mass (Irons and Treharne 1971;
// Belytschko and Lin 1985). Elements with mass have their own share, and their step follows from it. The run
// uses TSSFAC times the smallest step, so elements need only TSSFAC^2 of their mass. The rest, 1 - TSSFAC^2
// of the elements' mass (at least a tenth), is available to springs, and so are all masses of *ELEMENT_MASS.
//
// The springs and dampers at one node divide that mass so that all have the same step at this node. With the
// stiffness k and the damping c of each, the mass m, A = sum k / (4 m) and B = sum c / (2 m), this step is
// the root of A dt^2 + B dt = 1, and an element's share of the mass is k dt^2 / (4 m) + c dt / (2 m).
#pragma once

#include <span>

#include "constraints/rigid_bodies.hpp"
#include "decomposition/distribution.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Sets the inverse of the moved mass of springs and dampers (elements/discrete/layout.hpp). A node that is
/// tied, welded or interpolated counts with its own mass, a node without mass with that of the nodes to which
/// it is linked, a node of a rigid body with the effective mass of the body at this point. Collective.
void share_masses_with_springs(const model::Model& model, const state::Nodal& nodal,
                               const constraints::RigidBodies& bodies, const parallel::Communicator& comm,
                               const parallel::Halo& halo, std::span<const state::WritableGroup> groups);

}  // namespace crumple::explicit_dynamics
