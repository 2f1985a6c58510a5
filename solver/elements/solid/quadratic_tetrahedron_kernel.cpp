// Compiles the ten-node tetrahedron for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/quadratic_tetrahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 16, QuadraticTetrahedronForm)

}  // namespace crumple::elements
