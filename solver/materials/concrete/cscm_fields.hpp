// The cards of MAT_159.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for moduli, strengths, cap, shapes and energies that are not positive, CR-M105 for pre-peak
/// hardening and earlier damage, CR-M108 for numbers out of range.
Prepared prepare_cscm(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
