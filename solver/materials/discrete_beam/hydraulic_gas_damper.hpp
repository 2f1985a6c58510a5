// MAT_070 (*MAT_HYDRAULIC_GAS_DAMPER_DISCRETE_BEAM): a piston that compresses a gas and presses oil through
// an orifice, along the line between the nodes (Hallquist 2006, LS-DYNA Theory Manual, equation 19.70.1).
//
// With the stroke S, by which the beam is shorter, and its rate V,
//
//   F = SCLF {KH (V / a(S))^2 + [P0 (C0 / (C0 - S))^N - PA] AP}
//
// pushes the nodes apart; a is the orifice area of LCID, constant beyond the ends of the curve. Where the
// piston goes back (V < 0) the oil resists, too, with FR of its force. The gas column does not become shorter
// than C0 / 1000. The force is there without a stroke: (P0 - PA) AP. The gas stiffens, so the step is that of
// the present stroke.
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

inline Prepared prepare_hydraulic_gas_damper(const model::Model& model, const model::Material& material) {
  DiscreteBeamFields made(model);
  made.law().line = true;
  DiscreteBeamComponent& c = made.component(0);
  c.form = ComponentForm::gas_damper;
  c.gas.column = positive_field(material, "C0");
  c.gas.exponent = positive_field(material, "N");
  c.gas.pressure = not_negative_field(material, "P0");
  c.gas.outside = not_negative_field(material, "PA");
  c.gas.area = not_negative_field(material, "AP");
  c.gas.hydraulic = not_negative_field(material, "KH");
  c.gas.back = not_negative_field(material, "FR");
  c.gas.scale = positive_field(material, "SCLF");
  if (material.field("CLEAR") != 0)
    refuse(material, "CR-M105", "CLEAR", "a clearance (CLEAR) before the piston moves is not supported");
  c.loading = made.curve(material, "LCID");
  if (!c.loading.given())
    refuse(material, "CR-M106", "LCID", "the damper needs the curve LCID of its orifice area");
  for (int k = 0; k < c.loading.curve.n; ++k)
    if (!(c.loading.curve.y[k] > 0))
      refuse(material, "CR-M107", "LCID", "the orifice area of LCID must be positive");
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw, {.number = 70,
                              .keyword = "MAT_HYDRAULIC_GAS_DAMPER_DISCRETE_BEAM",
                              .prepare = prepare_hydraulic_gas_damper})
