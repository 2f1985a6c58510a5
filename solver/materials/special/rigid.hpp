// MAT_020 (*MAT_RIGID): no stress; E and PR set the contact stiffness, RO the mass.
//
// Elements of rigid parts are not computed (constraints/), so there are no updates.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

struct RigidLaw {};

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_rigid(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  prepared.parameters = std::make_shared<RigidLaw>();
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(RigidLaw, {.number = 20,
                       .keyword = "MAT_RIGID",
                       .supports = {.solid = true, .shell = true, .beam = true},
                       .elastic_fields = true,
                       .rigid = true,
                       .prepare = prepare_rigid})
