// Reads the fields of MAT_034.
#pragma once

#include "materials/prepared.hpp"
#include "model/forward.hpp"

namespace crumple::materials {

/// Throws CR-M102 to M108: a missing modulus, an option or a form that is not supported, an unusable curve.
Prepared prepare_fabric(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
