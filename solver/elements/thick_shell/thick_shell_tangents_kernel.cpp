// Tangents of thick shells for this object's instruction set.
#include "elements/tangent_driver.hpp"
#include "elements/thick_shell/layered_shell.hpp"
#include "model/section.hpp"

namespace crumple::elements {
CRUMPLE_REGISTER_TANGENT(solid, model::kThickShells + 1, OnePointLayersForm)
CRUMPLE_REGISTER_TANGENT(solid, model::kThickShells + 2, SelectiveLayersForm)
}  // namespace crumple::elements
