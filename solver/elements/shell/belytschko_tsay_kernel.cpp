// ELFORM 2 and 10 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/belytschko_tsay.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 2, BelytschkoTsayForm)
CRUMPLE_REGISTER_KERNEL(shell, 10, BelytschkoTsayForm)
CRUMPLE_REGISTER_KERNEL(shell, 1, BelytschkoTsayForm)
CRUMPLE_REGISTER_KERNEL(shell, 11, BelytschkoTsayForm)
}  // namespace crumple::elements::shell
