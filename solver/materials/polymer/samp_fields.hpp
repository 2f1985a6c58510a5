// The cards of MAT_187.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 without E and a curve of tension, CR-M105 for options that are not supported, CR-M106 and
/// CR-M107 for curves, CR-M108 for fields out of range.
Prepared prepare_samp(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
