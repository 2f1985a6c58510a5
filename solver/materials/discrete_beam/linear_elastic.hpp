// MAT_066 (*MAT_LINEAR_ELASTIC_DISCRETE_BEAM): F = FO + K d + D v in each freedom (LS-DYNA keyword manual,
// vol. II).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_linear_elastic_discrete_beam(const model::Model& model,
                                                     const model::Material& material) {
  constexpr const char* stiffness[6] = {"TKR", "TKS", "TKT", "RKR", "RKS", "RKT"};
  constexpr const char* damping[6] = {"TDR", "TDS", "TDT", "RDR", "RDS", "RDT"};
  constexpr const char* preload[6] = {"FOR", "FOS", "FOT", "MOR", "MOS", "MOT"};
  DiscreteBeamFields made(model);
  for (int k = 0; k < 6; ++k) {
    DiscreteBeamComponent& c = made.component(k);
    c.stiffness = not_negative_field(material, stiffness[k]);
    c.form = c.stiffness > 0 ? ComponentForm::linear : ComponentForm::none;
    c.damping = not_negative_field(material, damping[k]);
    c.preload = material.field(preload[k]);
  }
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(DiscreteBeamLaw, {.number = 66,
                              .keyword = "MAT_LINEAR_ELASTIC_DISCRETE_BEAM",
                              .prepare = prepare_linear_elastic_discrete_beam})
