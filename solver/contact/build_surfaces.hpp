// Turns what a deck calls a contact's surfaces into segments and nodes, on the whole model.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_system.hpp"
#include "model/model.hpp"

namespace crumple::contact {

/// Something about a contact that the user should know.
struct SurfaceWarning {
  std::string id, message;
  Place place;
};

/// Fill Contact::a and b of every contact from input_a and input_b. For rank 0.
///
/// Shells give a segment each, solids their exterior faces with outward normals; beams are left out with a
/// warning. Thickness: the element's or section's, or OPTT of its part, times SFTA / SFTB, or STA / STB
/// instead; single surfaces take at most 40 % of the shortest edge unless STA or OPTT gives it, as LS-DYNA
/// does with SSTHK = 0. Throws Error CR-C001 for an unknown set or part, CR-C002 for a target without
/// segments.
std::vector<SurfaceWarning> build_surfaces(model::Model& whole);

/// Initial penetrations of contacts that are born at 0 with IGNORE = 0, 1, 2; those with 0 are removed by
/// moving nodes of `whole` out of the segments, as LS-DYNA does. For rank 0, after build_surfaces.
///
/// Where both surfaces track each other's nodes each node moves half way, several times over. Nodes of rigid
/// bodies stay, and what is left is penetrated from the start.
///
/// @return what was found before anything moved, by contact, node and segment
///
/// Each round searches all contacts again. Where one side cannot move, it leaves half of what was there:
/// under 2 % after six. One is enough to know what there is.
std::vector<InitialPenetration> remove_initial_penetrations(model::Model& whole, int rounds = 6);

}  // namespace crumple::contact
