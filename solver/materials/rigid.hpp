// MAT_020 (*MAT_RIGID): no stress at all; E and PR serve the contact, RO the mass.
//
// Elements of rigid parts are not computed (constraints/), so the updates are there for the switch only.
#pragma once

#include "materials/null.hpp"

namespace crumple::materials {

struct RigidLaw : NullLaw {};

Prepared prepare_rigid(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
