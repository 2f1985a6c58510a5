// MAT_074 (*MAT_ELASTIC_SPRING_DISCRETE_BEAM): a spring along the line between the nodes (LS-DYNA keyword
// manual, vol. II), F = F0 + K d + D v + g(d) h(v), or with the curve f of FLCID
//
//   F = F0 + K f(d) [1 + C1 v + C2 sgn(v) ln(max(1, |v| / DLE))] + D v + g(d) h(v).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_elastic_spring_discrete_beam(const model::Model& model,
                                                     const model::Material& material) {
  DiscreteBeamFields made(model);
  made.law().line = true;
  made.spring(material, 0, false);
  made.component(0).preload = material.field("F0");
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 74,
                              .keyword = "MAT_ELASTIC_SPRING_DISCRETE_BEAM",
                              .prepare = prepare_elastic_spring_discrete_beam})
