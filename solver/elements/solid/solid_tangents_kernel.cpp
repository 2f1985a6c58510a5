// Tangents of solids for this object's instruction set.
#include "elements/solid/assumed_strain_hexahedron.hpp"
#include "elements/solid/cohesive_offset.hpp"
#include "elements/solid/enhanced_strain_hexahedron.hpp"
#include "elements/solid/full_hexahedron.hpp"
#include "elements/solid/hexahedron.hpp"
#include "elements/solid/nodal_pressure_tetrahedron.hpp"
#include "elements/solid/pentahedron.hpp"
#include "elements/solid/quadratic_tetrahedron.hpp"
#include "elements/tangent_driver.hpp"

namespace crumple::elements {
CRUMPLE_REGISTER_TANGENT(solid, 1, HexahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 2, FullHexahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, -1, AssumedStrainHexahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, -2, AssumedStrainHexahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 10, TetrahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 13, NodalPressureTetrahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 15, PentahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 16, QuadraticTetrahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 18, EnhancedStrainHexahedronForm)
CRUMPLE_REGISTER_TANGENT(solid, 19, CohesiveQuadForm)
CRUMPLE_REGISTER_TANGENT(solid, 20, OffsetCohesiveQuadForm)
CRUMPLE_REGISTER_TANGENT(solid, 21, CohesiveTriangleForm)
CRUMPLE_REGISTER_TANGENT(solid, 22, OffsetCohesiveTriangleForm)
}  // namespace crumple::elements
