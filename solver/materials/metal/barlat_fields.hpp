// The cards of MAT_036.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for R values and strengths that are not positive, CR-M105 for options without equations
/// here, CR-M106 and CR-M107 for curves, CR-M108 for M below 2 and R45 that no p gives.
Prepared prepare_barlat(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
