// Compiles the six-node pentahedron for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/pentahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 15, PentahedronForm)

}  // namespace crumple::elements
