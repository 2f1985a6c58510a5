// The cards of MAT_030.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for stresses and strains of transformation that are not positive, CR-M105 for those by
/// curves, CR-M108 for an end before its start and for ALPHA.
Prepared prepare_shape_memory(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
