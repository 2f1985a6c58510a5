// Tangents of the shells with other strains than ELFORM 16 for this object's instruction set.
#include "elements/shell/kirchhoff_strains.hpp"
#include "elements/shell/selective_strains.hpp"
#include "elements/tangent_driver.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_TANGENT(shell, 6, SelectiveForm)
CRUMPLE_REGISTER_TANGENT(shell, 7, SelectiveForm)
CRUMPLE_REGISTER_TANGENT(shell, 18, KirchhoffForm)
}  // namespace crumple::elements::shell
