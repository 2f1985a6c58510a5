// Compiles the truss for this instruction set.
#include "elements/beam/truss.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 3, TrussForm)

}  // namespace crumple::elements
