// Compiles the thick shells with layers in plane stress for this instruction set.
#include "elements/instantiate.hpp"
#include "elements/thick_shell/layered_shell.hpp"
#include "model/section.hpp"

namespace crumple::elements {

CRUMPLE_REGISTER_KERNEL(solid, model::kThickShells + 1, OnePointLayersForm)
CRUMPLE_REGISTER_KERNEL(solid, model::kThickShells + 2, SelectiveLayersForm)

}  // namespace crumple::elements
