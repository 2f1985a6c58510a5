// Compiles the Hughes-Liu beam for this instruction set.
#include "elements/beam/hughes_liu.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 1, HughesLiuForm)

}  // namespace crumple::elements
