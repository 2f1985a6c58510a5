// The cards of MAT_031, and the fit of its constants to a test.
//
// LCID is the force over the elongation of a strip of the length SGL, the width SW and the thickness ST,
// which is stretched in one direction at a constant volume: the nominal stress is dU / dl, linear in the
// constants. They are those of least squares (Householder's or Gram and Schmidt's method: Golub and Van Loan
// 2013, section 5.3) for the terms whose field is not 0; without any, those of I1 and I2. C100 is always
// fitted.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 for dimensions of the strip and for constants without a shear modulus, CR-M104 for PR,
/// CR-M105 for a run that stops at limits of strain, CR-M106 for an unknown curve, CR-M107 for one that does
/// not determine the constants, CR-M108 for a PR with which the volume would not be nearly constant.
Prepared prepare_frazer_nash(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
