// Compiles springs and dampers for this instruction set.
#include "elements/discrete/spring.hpp"
#include "elements/instantiate.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(discrete, 0, SpringForm)

}  // namespace crumple::elements
