// *ELEMENT_MASS_PART: mass spread over the nodes of parts.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/model.hpp"

namespace crumple::preparation {

/// Turns `whole.part_masses` into lumped masses at nodes and empties it. For rank 0, on the whole model.
///
/// Every node takes the share that its elements have of the parts' area (shells), volume (solids) or, with
/// MWD, mass; elements of a part share theirs among their corners as their own mass. FINMASS less the mass
/// of the parts' elements is what is added. Parts without shells or solids take none.
/// @returns the requests that fell to such parts
/// @throws Error CR-E010 for a set with both and without MWD, and for parts that have more than FINMASS
std::vector<model::PartMass> spread_part_masses(model::Model& whole);

}  // namespace crumple::preparation
