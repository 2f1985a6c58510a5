// Compiles the four-node tetrahedron for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/tetrahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 10, TetrahedronForm)

}  // namespace crumple::elements
