// Turns edges of shells and beams into the lines of a contact's surface, on the whole model.
#pragma once

#include <span>

#include "model/model.hpp"

namespace crumple::preparation {

/// Diameter of a beam for contact: the larger of its sides or its diameter; for a resultant beam or a truss
/// that of a round bar with its area.
double beam_thickness(const model::Section& section);

/// Thickness of a beam in a contact: OPTT of its part, or `given` by the contact if positive, or its own
/// times `scale` and SFT of the part.
double beam_contact_thickness(const model::Model& whole, std::size_t beam, double given, double scale);

/// Whether a beam takes part in contact: it has a section and a length, and is not a spot weld.
bool beam_takes_part(const model::Model& whole, std::size_t beam);

/// Fill `lines` of a surface that already has its segments.
///
/// Single surfaces take `beams`. *CONTACT_AUTOMATIC_GENERAL takes the edges that belong to one shell of the
/// surface as well, with _INTERIOR all of them; SOFT = 2 with DEPTH = 5 all edges of shells, since a sheet
/// may fold along any edge. An edge exists as long as any of its shells. It has the thickness of the thickest
/// remaining shell and the stiffness of the first. For rank 0.
///
/// @param beams beams of the surface
/// @param given thickness for beams instead of their own, 0: none
/// @param scale factor on the beams' own thickness
void build_lines(const model::Model& whole, const model::Contact& contact, std::span<const LocalId> beams,
                 double given, double scale, model::Surface& surface);

}  // namespace crumple::preparation
