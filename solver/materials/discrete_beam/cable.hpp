// MAT_071 (*MAT_CABLE_DISCRETE_BEAM): a cable that carries tension only (LS-DYNA keyword manual, vol. II).
//
// With the length l, the length l0 less OFFSET without force and the area CA of the section:
//
//   F = max(F0 + K (l - l0 + OFFSET), 0),  K = E CA / (l0 - OFFSET), or -E where E is negative,
//
// or CA times the curve LCID of stress over (l - l0 + OFFSET) / (l0 - OFFSET), plus F0. With TMAXF0 or TRAMP
// the tension is F0 until then, from TSTART on over TRAMP, and the length without force is what gives it;
// TMAXF0 is at least TSTART + TRAMP. The cable fails at the strain MXEPS or the force MXFRC.
#pragma once

#include "materials/discrete_beam/law.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete_beam/fields.hpp"

namespace crumple::materials {

/// When the preload ends (TMAXF0), and how it grows.
inline void set_cable_preload(const model::Model& model, const model::Material& material,
                              DiscreteBeamComponent& c) {
  c.preload = not_negative_field(material, "F0");
  c.ramp_length = not_negative_field(material, "TRAMP");
  c.ramp_start = c.ramp_length > 0 ? not_negative_field(material, "TSTART") : 0.0;
  c.hold_until = not_negative_field(material, "TMAXF0");
  if (c.ramp_length > 0) c.hold_until = std::max(c.hold_until, c.ramp_start + c.ramp_length);
  if (!(c.hold_until > 0)) return;
  positive_field(material, "F0");
  if (model.control.relaxation.active)
    refuse(material, "CR-M105", "TMAXF0",
           "a preload that is held (TMAXF0, TRAMP) is not supported with dynamic relaxation");
  if (!c.loading.given() && !(c.stiffness > 0))
    refuse(material, "CR-M103", "E", "a preload that is held (TMAXF0, TRAMP) needs a stiffness");
  if (c.loading.given())
    for (int k = 1; k < c.loading.curve.n; ++k)
      if (c.loading.curve.y[k] <= c.loading.curve.y[k - 1])
        refuse(material, "CR-M107", "LCID",
               "with a preload that is held (TMAXF0, TRAMP) the curve of LCID must rise");
}

inline Prepared prepare_cable_discrete_beam(const model::Model& model, const model::Material& material) {
  DiscreteBeamFields made(model);
  made.law().line = true;
  DiscreteBeamComponent& c = made.component(0);
  c.form = ComponentForm::cable;
  const double young = material.field("E");
  c.stiffness = std::fabs(young);
  c.loading = made.curve(material, "LCID");
  c.area = c.loading.given() || young > 0 ? -1 : 0;  // negative: that of the section
  set_cable_preload(model, material, c);
  if (material.field("FRACL0") != 0)
    refuse(material, "CR-M105", "FRACL0", "FRACL0, a length that is reached, is not supported");
  made.law().greatest_strain = material.field("MXEPS") < 1e20 ? not_negative_field(material, "MXEPS") : 0.0;
  if (const double force = material.field("MXFRC"); force > 0 && force < 1e20) {
    made.limit(0, 0, force, 0);
    made.law().limit[0].of_forces = true;
  }
  return made.prepared(material);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(DiscreteBeamLaw,
            {.number = 71, .keyword = "MAT_CABLE_DISCRETE_BEAM", .prepare = prepare_cable_discrete_beam})
