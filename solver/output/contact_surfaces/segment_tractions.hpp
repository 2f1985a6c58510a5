// Contact pressure and shear on the segments of a contact's side, from the contact forces on its nodes.
//
// The force f of a node is spread over the segments at it, in proportion to (A / c) (f . n)^2: the area A
// that each of c corners has of the segment, and how the unit normal n faces the force, so that at an edge
// between two faces the one that touches gets it. Where f lies in the planes of all, by areas alone. A
// segment's traction is what it gets, per area: the sum of traction times area is that of the forces.
#pragma once

#include <span>
#include <vector>

#include "output/results.hpp"

namespace crumple::output {

struct SegmentTraction {
  Vec3 traction;        ///< force of contact per area, now
  double pressure = 0;  ///< magnitude of its part along the normal
  double shear = 0;     ///< magnitude of its part in the plane
};

/// @param nodes of the side, in its order; their positions give the areas
std::vector<SegmentTraction> segment_tractions(const ContactSideInfo& side, std::span<const NcforcRow> nodes);

}  // namespace crumple::output
