// MAT_122 (*MAT_HILL_3R): rolled sheets by the yield function of Hill (1948) with three ratios R, in shells.
//
// f(s) = k(p) with f of hill_surface.hpp along axes that turn with the element, and p conjugate to f: the
// plastic strain of tension in the rolling direction a, in which f is the stress. The ratios R of plastic
// strains across the width and through the thickness at 0, 45 and 90 degrees give (Hill 1948; e.g. Banabic
// 2010, Sheet Metal Forming Processes, eqs. 2.51 to 2.53)
//
//   G = 1 / (1 + R00),   H = R00 G,   F = H / R90,   2 N = (2 R45 + 1) (F + G).
//
// The yield stress at 90 degrees follows from these: 1 / sqrt(F + H) of that at 0.
//
// Flow stress: HR = 1 a line from P2, with the tangent modulus P1 of stress over strain; HR = 2 P1 (E0 +
// p)^P2, where E0 = 0 stands for the intersection with the elastic line; HR = 3 the curve LCID. The step is
// that of sheet_return.hpp. History: the axes. State: plastic strain.
#pragma once

#include "materials/metal/hill_surface.hpp"
#include "materials/metal/sheet_return.hpp"

namespace crumple::materials {

/// Parameters of MAT_122.
struct HillSheetOfThreeRatios : FormulaLaw {
  HillPlane surface;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_shell(const HillSheetOfThreeRatios& law, ShellPoint<V>& point) {
  update_sheet<FormulaLaw>(law, HillSurface<V>{law.surface}, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/sheet_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_hill_3r(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedSheet<HillSheetOfThreeRatios>>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  const double r00 = positive_field(material, "R00"), r45 = positive_field(material, "R45"),
               r90 = positive_field(material, "R90");
  const double g = 1 / (1 + r00), h = r00 * g, f = h / r90;
  owned->law.surface = {g + h, f + h, (2 * r45 + 1) * (f + g), -h};
  read_sheet_flow(model, material, owned->law, owned->flow);
  prepared.n_history = kShellAxes;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HillSheetOfThreeRatios, {.number = 122,
                                     .keyword = "MAT_HILL_3R",
                                     .supports = {.shell = true},
                                     .needs = {.material_axes = true},
                                     .elastic_fields = true,
                                     .cost = 3,
                                     .prepare = prepare_hill_3r})
