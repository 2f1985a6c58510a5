// Compiles the Belytschko-Schwer beam for this instruction set.
#include "elements/beam/belytschko_schwer.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 2, BelytschkoSchwerForm)
CRUMPLE_REGISTER_KERNEL(beam, 13, BelytschkoSchwerForm)

}  // namespace crumple::elements
