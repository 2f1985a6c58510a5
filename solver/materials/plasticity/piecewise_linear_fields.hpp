// The fields of MAT_024 and of laws that share its cards.
#pragma once

#include "materials/plasticity/j2_law.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A J2Law and its curves from the cards of MAT_024. Throws CR-M102 to CR-M108.
Prepared prepare_piecewise_linear(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
