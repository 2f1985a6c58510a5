// ELFORM 6 and 7 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/selective_strains.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 6, SelectiveForm)
CRUMPLE_REGISTER_KERNEL(shell, 7, SelectiveForm)
}  // namespace crumple::elements::shell
