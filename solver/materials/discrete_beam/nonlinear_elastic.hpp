// MAT_067 (*MAT_NONLINEAR_ELASTIC_DISCRETE_BEAM): force over displacement and over velocity by curves in each
// freedom (LS-DYNA keyword manual, vol. II).
//
// Curves without negative abscissae are odd. The beam fails where sum (F / FFAIL)^2 or sum (u / UFAIL)^2
// is 1.
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_nonlinear_elastic_discrete_beam(const model::Model& model,
                                                        const model::Material& material) {
  DiscreteBeamFields made(model);
  constexpr const char* damping[6] = {"LCIDTDR", "LCIDTDS", "LCIDTDT", "LCIDRDR", "LCIDRDS", "LCIDRDT"};
  for (int k = 0; k < 6; ++k) {
    DiscreteBeamComponent& c = made.component(k);
    c.loading = made.odd_curve(material, std::string("LCID") + kTurning[k]);
    c.form = c.loading.given() ? ComponentForm::curve : ComponentForm::none;
    c.stiffness = 1;
    c.damper = made.odd_curve(material, damping[k]);
  }
  made.limits_and_preloads(material);
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 67,
                              .keyword = "MAT_NONLINEAR_ELASTIC_DISCRETE_BEAM",
                              .prepare = prepare_nonlinear_elastic_discrete_beam})
