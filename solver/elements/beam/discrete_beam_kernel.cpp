// Compiles the discrete beam for this instruction set.
#include "elements/beam/discrete_beam.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(beam, 6, DiscreteBeamForm)

}  // namespace crumple::elements
