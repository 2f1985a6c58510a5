// Where the middle surfaces of shells are: beside their nodes by NLOC or OFFSET.
#pragma once

#include "model/model.hpp"

namespace crumple::model {

/// Distance of a shell's middle surface from its nodes, along its normal: OFFSET of *ELEMENT_SHELL_OFFSET,
/// else -NLOC / 2 times its thickness.
double middle_offset(const Model& model, LocalId shell, double thickness);

/// Whether some shell may have its middle surface beside its nodes.
bool any_middle_offset(const Model& model);

}  // namespace crumple::model
