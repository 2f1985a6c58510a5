// Reference planes of shells in contact: beside the nodes by NLOC or OFFSET (CNTCO, SHLOFF).
#pragma once

#include "model/model.hpp"

namespace crumple::preparation {

/// Distance of a shell's reference plane from its nodes, along its normal.
///
/// @param thickness of the shell
/// @param of_contact its thickness in the contact
double reference_plane(const model::Model& whole, const model::Contact& contact, LocalId shell,
                       double thickness, double of_contact);

/// Gives a segment other nodes, in another order perhaps: its plane stays where it is.
void take_order(const model::Model& whole, const std::array<LocalId, 4>& nodes, model::Segment& segment);

/// Sets the planes of the surface's nodes: each has that of the segment at it that is farthest from it, of
/// the first in the surface if several are.
void set_node_planes(model::Surface& surface);

}  // namespace crumple::preparation
