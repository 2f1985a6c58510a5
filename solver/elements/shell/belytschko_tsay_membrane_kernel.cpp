// ELFORM 5 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/belytschko_tsay_membrane.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 5, BelytschkoTsayMembraneForm)
}  // namespace crumple::elements::shell
