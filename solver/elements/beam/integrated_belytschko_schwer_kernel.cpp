// Compiles the Belytschko-Schwer beam with integrated cross-sections for this instruction set.
#include "elements/beam/integrated_belytschko_schwer.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 4, IntegratedBelytschkoSchwerForm)
CRUMPLE_REGISTER_KERNEL(beam, 5, IntegratedBelytschkoSchwerForm)

}  // namespace crumple::elements
