// Directions of points in which nothing is stiff (AUTOSPC).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "implicit/dependent_nodes.hpp"
#include "implicit/elements.hpp"
#include "implicit/links/links.hpp"

namespace crumple::implicit {

/// Directions of translation or rotation of single points in which nothing is stiff beside the stiffest
/// direction there: of springs, trusses and membranes, and rotations about the normals of shells. Empty if an
/// element is broken.
/// @param links beside the elements
/// @param dofs_of_point 0, 3 or 6
/// @param at_rest without motion; `dependents` are moved with it
/// @param tolerance of the stiffness of the stiffest direction (AUTOTOL)
std::optional<std::vector<NodeFreedoms>> find_unattached(Elements& elements, const AllLinks& links,
                                                         const DependentNodes& dependents,
                                                         std::span<const std::uint8_t> dofs_of_point,
                                                         const Trial& at_rest, double tolerance);

}  // namespace crumple::implicit
