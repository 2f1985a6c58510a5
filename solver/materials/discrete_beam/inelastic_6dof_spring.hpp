// MAT_095 (*MAT_INELASTIC_6DOF_SPRING_DISCRETE_BEAM): each freedom is the spring (MAT_094) of a part that the
// card names, without its F0 (LS-DYNA keyword manual, vol. II).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_inelastic_6dof_spring(const model::Model& model, const model::Material& material) {
  DiscreteBeamFields made(model);
  made.of_parts(material, 94, true);
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 95,
                              .keyword = "MAT_INELASTIC_6DOF_SPRING_DISCRETE_BEAM",
                              .prepare = prepare_inelastic_6dof_spring})
