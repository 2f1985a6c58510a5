// Four-node tetrahedron whose dilatation is the mean of its nodes' (ELFORM 13): one-point nodal pressure.
//
// Bonet and Burton (1998, "A simple average nodal pressure tetrahedral element for incompressible and nearly
// incompressible dynamic explicit applications"): one volume constraint per node, five or six times fewer
// than elements, so that it does not lock at constant volume.
#pragma once

#include "elements/solid/tetrahedron.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

struct NodalPressureTetrahedronShape : TetrahedronShape {
  static constexpr bool nodal_dilatation = true;
};

using NodalPressureTetrahedronForm = IsoparametricForm<NodalPressureTetrahedronShape>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
