// MAT_003 (*MAT_PLASTIC_KINEMATIC): bilinear J2 plasticity, isotropic to kinematic hardening by BETA.
//
// With the plastic modulus E_p = E ETAN / (E - ETAN) the flow stress is SIGY + BETA E_p p and the back
// stress moves by (2/3) (1 - BETA) E_p per plastic strain (Krieg and Key 1976; Prager 1956). SRC, SRP
// scale the flow stress by 1 + (rate / SRC)^(1 / SRP) (Cowper and Symonds 1957), with the rate of total
// strain or, VP = 1, of plastic strain. FS > 0 is the plastic strain at which a point fails.
// State: plastic strain; the back stress where BETA < 1. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/j2_plasticity.hpp"

namespace crumple::materials {

Prepared prepare_plastic_kinematic(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
