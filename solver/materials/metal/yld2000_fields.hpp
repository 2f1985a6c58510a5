// The cards of MAT_133.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for strengths and ratios that are not positive, CR-M105 for options without equations here,
/// CR-M106 and CR-M107 for curves, CR-M108 for an exponent below 2 and data that no constants fit.
Prepared prepare_yld2000(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
