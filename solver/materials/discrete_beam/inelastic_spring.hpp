// MAT_094 (*MAT_INELASTIC_SPRING_DISCRETE_BEAM): an elastic-plastic spring along the line between the nodes
// (LS-DYNA keyword manual, vol. II).
//
// With the elastic-plastic force F0 at the yield force FLCID over the sum of plastic displacement,
//
//   F = F0 [1 + C1 v + C2 sgn(v) ln(max(1, |v| / DLE))] + D v + g(d) h(v).
//
// The yield force is that after the step's flow, not before it: F0 is never above it. F0 of the card is
// added.
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_inelastic_spring_discrete_beam(const model::Model& model,
                                                       const model::Material& material) {
  DiscreteBeamFields made(model);
  made.law().line = true;
  made.spring(material, 0, true);
  made.component(0).preload = material.field("F0");
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 94,
                              .keyword = "MAT_INELASTIC_SPRING_DISCRETE_BEAM",
                              .prepare = prepare_inelastic_spring_discrete_beam})
