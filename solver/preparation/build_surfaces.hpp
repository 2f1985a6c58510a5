// Converts the deck's surfaces of contacts to segments and nodes, on the whole model.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "preparation/finding.hpp"

namespace crumple::preparation {

/// Fill Contact::a and b of every contact from input_a and input_b. For rank 0.
///
/// Shells give a segment each, solids their exterior faces with outward normals. Beams' ends
/// are nodes of single surfaces; other contacts leave beams out with a warning. Thickness: the element's or
/// section's, or OPTT of its part, times SFTA / SFTB, or STA / STB instead; single surfaces take at most 40 %
/// of the shortest edge unless STA or OPTT gives it or SSTHK is 1, as LS-DYNA does. Also finds neighbours in
/// the mesh that are closer than this thickness (neighbours.hpp). Throws Error CR-C001 for an unknown set or
/// part, CR-C002 for a target without segments.
std::vector<Finding> build_surfaces(model::Model& whole);

}  // namespace crumple::preparation
