// The cards of MAT_120.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for q1, q2, SIGY and FC that are not positive, CR-M105 for tables, CR-M106 and CR-M107 for
/// curves, CR-M108 for void fractions out of order.
Prepared prepare_gurson(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
