// Which nodes of tied contacts are held, and where, from the positions at t = 0.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "preparation/finding.hpp"

namespace crumple::preparation {

/// Fill Contact::ties of every tied contact from its surfaces, which are emptied: nothing else touches them.
/// For rank 0, after build_surfaces.
///
/// A node is tied to the segment of B nearest along its normal if the node lies over it, not farther than
/// the larger of 0.60 (thickness at the node + thickness of the segment) and 0.05 of the segment's shorter
/// diagonal (LS-DYNA Keyword User's Manual, general remarks on *CONTACT); with SAST or SBST negative their
/// magnitudes are the thicknesses and the diagonal does not count. Without an offset the node is moved onto
/// the segment; where a later contact moves the segment's nodes in turn, it goes with them, and the arms of
/// nodes with an offset are those to where it is then.
///
/// Nodes of rigid bodies, of links (welds and shared motion), with single-point constraints or prescribed
/// motion, and nodes that an earlier contact ties are left out.
///
/// @return what the user should know: nodes that are not tied
std::vector<Finding> find_ties(model::Model& whole);

}  // namespace crumple::preparation
