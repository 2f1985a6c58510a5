// Compiles the hexahedron with enhanced strains for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/solid/enhanced_strain_hexahedron.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, 18, EnhancedStrainHexahedronForm)

}  // namespace crumple::elements
