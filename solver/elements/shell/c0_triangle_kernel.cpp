// ELFORM 4 for this object's instruction set.
#include "elements/instantiate.hpp"
#include "elements/shell/c0_triangle.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_KERNEL(shell, 4, C0TriangleForm)
}  // namespace crumple::elements::shell
