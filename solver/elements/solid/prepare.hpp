// Preparation of a group and initial state of an element, common to all solid formulations.
//
// Error ids: CR-E201 volume not positive, CR-E202 hourglass type, CR-E203 law without a stiffness.
#pragma once

#include <span>

#include "elements/kernel.hpp"

namespace crumple::elements::solid {

/// Checks common to all solids. Throws CR-E203.
void prepare_solid(const model::Section& section, GroupParameters& group);

/// Exact volume of 8 nodes joined by bilinear faces; degenerate elements repeat nodes.
double hexahedron_volume(const ElementInput& input);

/// The element's mass in equal parts at `n_nodes` nodes; the total is exact.
NodalShare equal_mass(double volume, int n_nodes, const GroupParameters& group);

/// All variables are zero except the initial volume and its cube root. Throws CR-E201 unless volume > 0.
void initialise_solid(double volume, std::span<double> variables);

}  // namespace crumple::elements::solid
