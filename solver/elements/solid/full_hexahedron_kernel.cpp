// Compiles the fully integrated hexahedron for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/full_hexahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 2, FullHexahedronForm)

}  // namespace crumple::elements
