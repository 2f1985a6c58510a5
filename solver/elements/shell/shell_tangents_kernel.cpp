// Tangents of shells for this object's instruction set.
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/belytschko_tsay_membrane.hpp"
#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "elements/shell/fully_integrated_membrane.hpp"
#include "elements/tangent_driver.hpp"

namespace crumple::elements::shell {
CRUMPLE_REGISTER_TANGENT(shell, 2, BelytschkoTsayForm)
CRUMPLE_REGISTER_TANGENT(shell, 10, BelytschkoTsayForm)
CRUMPLE_REGISTER_TANGENT(shell, 1, BelytschkoTsayForm)
CRUMPLE_REGISTER_TANGENT(shell, 11, BelytschkoTsayForm)
CRUMPLE_REGISTER_TANGENT(shell, 5, BelytschkoTsayMembraneForm)
CRUMPLE_REGISTER_TANGENT(shell, 16, FullyIntegratedForm)
CRUMPLE_REGISTER_TANGENT(shell, -16, FullyIntegratedForm)
CRUMPLE_REGISTER_TANGENT(shell, 20, FullyIntegratedForm)
CRUMPLE_REGISTER_TANGENT(shell, 9, FullyIntegratedMembraneForm)
CRUMPLE_REGISTER_TANGENT(shell, 4, C0TriangleForm)
}  // namespace crumple::elements::shell
