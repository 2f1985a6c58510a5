// MAT_196 (*MAT_GENERAL_SPRING_DISCRETE_BEAM): an elastic (TYPE 0) or elastic-plastic (1) spring in each
// freedom that two cards name (LS-DYNA keyword manual, vol. II).
//
// The forces are those of MAT_074 and MAT_094. The beam fails (MDFAIL) with the first freedom that reaches
// CDF or TDF (0), or where the sum of (u / limit)^2 is 1, of positive and of negative displacements apart (1)
// or together (2).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_general_spring(const model::Model& model, const model::Material& material) {
  DiscreteBeamFields made(model);
  const double together = material.field("MDFAIL");
  bool known[6] = {};
  for (int card = 1; card <= 6; ++card) {
    const std::string end = std::to_string(card);
    const double freedom = material.field("DOF" + end), type = material.field("TYPE" + end);
    if (freedom == 0) continue;
    if (!(freedom >= 1 && freedom <= 6) || known[static_cast<int>(freedom) - 1])
      refuse(material, "CR-M108", "DOF" + end,
             fmt::format("DOF = {} is not a freedom 1 to 6 given once", freedom));
    if (type != 0 && type != 1)
      refuse(material, "CR-M108", "TYPE" + end, fmt::format("TYPE is {}, it must be 0 or 1", type));
    const int k = static_cast<int>(freedom) - 1;
    known[k] = true;
    made.spring(material, k, type == 1, end);
  }
  if (together != 0) {
    // One limit per freedom so far.
    DiscreteBeamLimit both[2];
    for (int k = 0; k < 6; ++k) {
      const DiscreteBeamLimit& of = made.law().limit[static_cast<std::size_t>(k)];
      both[0].inverse_positive[k] = of.inverse_positive[k];
      both[together == 1 ? 1 : 0].inverse_negative[k] = of.inverse_negative[k];
    }
    made.law().limit = {both[0], both[1]};
    if (made.law().n_limits > 0) made.law().n_limits = 2;
  }
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw,
            {.number = 196, .keyword = "MAT_GENERAL_SPRING_DISCRETE_BEAM", .prepare = prepare_general_spring})
