// MAT_121 (*MAT_GENERAL_NONLINEAR_1DOF_DISCRETE_BEAM): as MAT_119, along the line between the nodes (LS-DYNA
// keyword manual, vol. II).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_general_nonlinear_1dof(const model::Model& model, const model::Material& material) {
  DiscreteBeamFields made(model);
  made.law().line = true;
  made.general_nonlinear(material, 0, "K", "LCIDT", "LCIDTU", "LCIDTD", "LCIDTE", "IU");
  made.limit(0, 0, not_negative_field(material, "UTFAIL"), not_negative_field(material, "UCFAIL"));
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 121,
                              .keyword = "MAT_GENERAL_NONLINEAR_1DOF_DISCRETE_BEAM",
                              .prepare = prepare_general_nonlinear_1dof})
