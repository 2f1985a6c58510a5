// Compiles the one-point hexahedron for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/hexahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 1, HexahedronForm)

}  // namespace crumple::elements
