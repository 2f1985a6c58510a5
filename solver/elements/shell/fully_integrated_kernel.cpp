// ELFORM 16 and -16 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/fully_integrated.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 16, FullyIntegratedForm)
CRUMPLE_REGISTER_KERNEL(shell, -16, FullyIntegratedForm)
}  // namespace crumple::elements::shell
