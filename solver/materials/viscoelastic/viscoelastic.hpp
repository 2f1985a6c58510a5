// MAT_006 (*MAT_VISCOELASTIC): elastic pressure, and shear that relaxes as G(t) = GI + (G0 - GI) exp(-BETA t)
// (Herrmann and Peterson 1968, "A numerical procedure for viscoelastic stress analysis"; Hallquist 2006,
// LS-DYNA Theory Manual, material 6), by viscoelastic/relaxing_shear.hpp. The stable step is that of BULK and
// G0, which do not stiffen.
#pragma once

#include "materials/viscoelastic/relaxing_shear.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws what prepare_one_term throws.
inline Prepared prepare_viscoelastic(const model::Model&, const model::Material& material) {
  return prepare_one_term(material, not_negative_field(material, "BETA"));
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(RelaxingShearLaw, {.number = 6,
                               .keyword = "MAT_VISCOELASTIC",
                               .supports = {.solid = true},
                               .cost = 1.5,
                               .prepare = prepare_viscoelastic})
