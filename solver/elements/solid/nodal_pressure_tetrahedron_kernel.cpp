// Compiles the tetrahedron with nodal pressure for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/nodal_pressure_tetrahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 13, NodalPressureTetrahedronForm)

}  // namespace crumple::elements
