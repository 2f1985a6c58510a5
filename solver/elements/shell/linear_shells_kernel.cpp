// ELFORM 18 and 20 for this object's instruction set: runs without explicit cycles evaluate forces by them,
// too.
#include "elements/instantiate.hpp"
#include "elements/shell/kirchhoff_strains.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 18, KirchhoffForm)
CRUMPLE_REGISTER_KERNEL(shell, 20, FullyIntegratedForm)
}  // namespace crumple::elements::shell
