// MAT_119 (*MAT_GENERAL_NONLINEAR_6DOF_DISCRETE_BEAM): curves for loading, unloading and damping in each
// freedom (LS-DYNA keyword manual, vol. II).
//
// IUNLD 0: loading and unloading follow the loading curve. 2: unloading goes down with the stiffness KT or KR
// to the unloading curve and along it; loading again goes up with this stiffness. Without KT or KR it is the
// steepest slope of both curves. 1 is supported where the unloading curve is the loading curve; 3 is not.
// Damping is g(d) h(v). DAMPF, a damping for stability, is not needed: the stable step is short enough.
//
// The beam fails where the sum over the freedoms of (u / limit)^2 is 1: of the positive and of the negative
// displacements apart (FCRIT 0), or of both (1).
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include <fmt/format.h>

#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_general_nonlinear_6dof(const model::Model& model, const model::Material& material) {
  constexpr const char* axis[3] = {"R", "S", "T"};
  DiscreteBeamFields made(model);
  if (material.field("IFLAG") != 0)
    refuse(material, "CR-M105", "IFLAG", "only the displacement formulation IFLAG = 0 is supported");
  const bool together = material.field("FCRIT") == 1;
  for (int k = 0; k < 6; ++k) {
    const char *const of = k < 3 ? "T" : "R", *const a = axis[k % 3];
    const auto curve = [&](const char* which) { return fmt::format("LCID{}{}{}", of, which, a); };
    made.general_nonlinear(material, k, k < 3 ? "KT" : "KR", curve(""), curve("U"), curve("D"), curve("E"),
                           k < 3 ? fmt::format("IU{}", a) : fmt::format("IW{}", a));
    const std::string at_tension = k < 3 ? fmt::format("UTFAIL{}", a) : fmt::format("WTFAIL{}", a);
    const std::string at_compression = k < 3 ? fmt::format("UCFAIL{}", a) : fmt::format("WCFAIL{}", a);
    const double tension = not_negative_field(material, at_tension);
    const double compression = not_negative_field(material, at_compression);
    made.limit(0, k, tension, together ? compression : 0.0);
    if (!together) made.limit(1, k, 0.0, compression);
  }
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 119,
                              .keyword = "MAT_GENERAL_NONLINEAR_6DOF_DISCRETE_BEAM",
                              .prepare = prepare_general_nonlinear_6dof})
