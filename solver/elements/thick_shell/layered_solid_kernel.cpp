// Compiles the thick shells with layers of solid points for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/thick_shell/layered_solid.hpp"
#include "model/section.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, model::kThickShells + 3, FourColumnsForm)
CRUMPLE_REGISTER_KERNEL(solid, model::kThickShells + 5, OneColumnForm)
CRUMPLE_REGISTER_KERNEL(solid, model::kThickShells + 7, FourColumnsForm)

}  // namespace crumple::elements
