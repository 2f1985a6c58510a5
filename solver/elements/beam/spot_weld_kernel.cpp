// Compiles the spot weld beam for this instruction set.
#include "elements/beam/spot_weld.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 9, SpotWeldForm)

}  // namespace crumple::elements
