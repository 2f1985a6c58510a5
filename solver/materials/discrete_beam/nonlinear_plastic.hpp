// MAT_068 (*MAT_NONLINEAR_PLASTIC_DISCRETE_BEAM): elastic stiffness and, in each freedom by itself, a yield
// force over the sum of plastic displacement (LS-DYNA keyword manual, vol. II).
//
// A freedom without a yield curve is elastic. Failure as for MAT_067. A negative stiffness, which names a
// curve, is not supported.
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_nonlinear_plastic_discrete_beam(const model::Model& model,
                                                        const model::Material& material) {
  constexpr const char* stiffness[6] = {"TKR", "TKS", "TKT", "RKR", "RKS", "RKT"};
  constexpr const char* damping[6] = {"TDR", "TDS", "TDT", "RDR", "RDS", "RDT"};
  constexpr const char* yield[6] = {"LCPDR", "LCPDS", "LCPDT", "LCPMR", "LCPMS", "LCPMT"};
  DiscreteBeamFields made(model);
  for (int k = 0; k < 6; ++k) {
    DiscreteBeamComponent& c = made.component(k);
    c.stiffness = not_negative_field(material, stiffness[k]);
    if (material.field(yield[k]) != 0) positive_field(material, stiffness[k]);
    c.loading = made.yield_curve(material, yield[k], c.stiffness);
    c.form = c.loading.given() ? ComponentForm::plastic
             : c.stiffness > 0 ? ComponentForm::linear
                               : ComponentForm::none;
    c.damping = not_negative_field(material, damping[k]);
  }
  made.limits_and_preloads(material);
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 68,
                              .keyword = "MAT_NONLINEAR_PLASTIC_DISCRETE_BEAM",
                              .prepare = prepare_nonlinear_plastic_discrete_beam})
