// Compiles the hexahedron with assumed strains for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/assumed_strain_hexahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, -1, AssumedStrainHexahedronForm)
CRUMPLE_REGISTER_KERNEL(solid, -2, AssumedStrainHexahedronForm)

}  // namespace crumple::elements
