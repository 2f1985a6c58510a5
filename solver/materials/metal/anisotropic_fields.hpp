// The cards of MAT_103.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for SIGY that is not positive, CR-M105 for viscosity, kinematic hardening, fits and tables,
/// CR-M106 and CR-M107 for curves, CR-M108 for negative constants.
Prepared prepare_anisotropic_viscoplastic(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
