// *ELEMENT_MASS_PART: mass distributed over the nodes of parts.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/model.hpp"

namespace crumple::preparation {

/// Converts `whole.part_masses` to lumped masses at nodes and clears it. For rank 0, on the whole model.
///
/// Every node gets its elements' share of the parts' area (shells), volume (solids) or, with MWD, mass. An
/// element divides its share among its corners like its own mass. With FINMASS, the added mass is FINMASS
/// minus the mass of the parts' elements. Parts without shells or solids get none. @returns the requests for
/// such parts
/// @throws Error CR-E010 for a set with both and without MWD, and for parts that have more than FINMASS
std::vector<model::PartMass> spread_part_masses(model::Model& whole);

}  // namespace crumple::preparation
