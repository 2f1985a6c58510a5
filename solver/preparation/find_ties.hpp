// Finds the tied nodes of tied contacts and their points on segments, from the positions at t = 0.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "preparation/finding.hpp"

namespace crumple::preparation {

/// Fill Contact::ties of every tied contact from its surfaces, which are then cleared, as nothing else needs
/// them. For rank 0, after build_surfaces.
///
/// A node is tied to the segment of B nearest along its normal if the node is above it and not farther than
/// the larger of 0.60 (thickness at the node + thickness of the segment) and 0.05 of the segment's shorter
/// diagonal (LS-DYNA Keyword User's Manual, general remarks on *CONTACT); with SAST or SBST negative their
/// magnitudes are the thicknesses and the diagonal does not count. Without an offset the node is moved onto
/// the segment. If a later contact moves the segment's nodes, the tied node moves with them, and arms of
/// nodes with an offset are updated.
///
/// Nodes of rigid bodies, of links (welds and shared motion), with single-point constraints or prescribed
/// motion, and nodes that are tied by an earlier contact are left out.
///
/// @return findings for the user: nodes that are not tied
std::vector<Finding> find_ties(model::Model& whole);

}  // namespace crumple::preparation
