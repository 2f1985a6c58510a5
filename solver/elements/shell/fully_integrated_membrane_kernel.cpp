// ELFORM 9 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/fully_integrated_membrane.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 9, FullyIntegratedMembraneForm)
}  // namespace crumple::elements::shell
