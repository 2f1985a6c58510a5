// Recognises wedges, tetrahedra and pyramids that a deck gives as eight-node solids with repeated nodes.
#pragma once

#include <array>
#include <span>

#include "base/types.hpp"
#include "elements/of_deck.hpp"

namespace crumple::elements::solid {

/// The form of an eight-node solid with repeated nodes, and its nodes in the order of that form.
///
/// @param nodes     as in the deck
/// @param reordered nodes of the form; the rest repeat the last one
/// @return 10 for a tetrahedron (n5..n8 equal n4; or n3 = n4 with one apex n5..n8), 15 for a wedge (n5 = n6
///   and n7 = n8, LS-DYNA's; or any two parallel edges of a face collapsed, such as n3 = n4 and
///   n7 = n8), 1 for all others: bricks, and pyramids (n5..n8 equal), which run as degenerate bricks.
///
/// Tetrahedron: base 1 2 3 counter-clockwise seen from node 4. Wedge: triangles 1 2 3 and 4 5 6, 1-4, 2-5,
/// 3-6 edges, the first triangle counter-clockwise seen from the second.
int natural_form(const std::array<LocalId, 8>& nodes, std::array<LocalId, 8>& reordered);

/// The form (elements/of_deck.hpp) of a solid for which a brick's, a tetrahedron's or a wedge's formulation
/// is asked. Tetrahedra and wedges have formulations of their own; where a part asks for one of these, its
/// bricks have one point (ELFORM 1).
Form brick_form(std::span<const LocalId> corners, int elform);
Form tetrahedron_form(std::span<const LocalId> corners, int elform);
Form wedge_form(std::span<const LocalId> corners, int elform);

}  // namespace crumple::elements::solid
