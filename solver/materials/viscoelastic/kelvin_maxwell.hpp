// MAT_061 (*MAT_KELVIN-MAXWELL_VISCOELASTIC): elastic pressure and one relaxing shear modulus, in two forms.
//
// FO = 0 (Maxwell) is MAT_006 with the decay constant DC. FO = 1 (Kelvin) obeys
//
//   s' + s / DC = 2 G0 e' + 2 GI / DC e
//
// (Hallquist 2006, LS-DYNA Theory Manual, material 61; with its 1 + delta_ij and engineering shears). Its
// relaxation after a sudden strain is G(t) = GI + (G0 - GI) exp(-t / DC), so it is the same law with the
// decay constant 1 / DC. The stable step is that of BULK and G0, which do not stiffen.
#pragma once

#include "materials/viscoelastic/relaxing_shear.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws what prepare_one_term throws, CR-M108 for an unknown FO, CR-M103 for a DC of FO = 1 that is not
/// positive.
inline Prepared prepare_kelvin_maxwell(const model::Model&, const model::Material& material) {
  const double form = material.field("FO");
  if (form != 0 && form != 1)
    refuse(material, "CR-M108", "FO", fmt::format("FO is {}, it must be 0 or 1", form));
  return prepare_one_term(
      material, form == 1 ? 1 / positive_field(material, "DC") : not_negative_field(material, "DC"));
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(RelaxingShearLaw, {.number = 61,
                               .keyword = "MAT_KELVIN-MAXWELL_VISCOELASTIC",
                               .supports = {.solid = true},
                               .cost = 1.5,
                               .prepare = prepare_kelvin_maxwell})
