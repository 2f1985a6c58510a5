// MAT_126 (*MAT_MODIFIED_HONEYCOMB) with its first yield surface (LCA > 0): MAT_026 with curves over the
// strain of each axis (honeycomb.hpp).
//
// The second yield surface (LCA < 0, over the angle off the axis a) and the third (ECCU < 0) are refused: the
// cards say what their curves are, but not which stresses they limit.
#pragma once

#include "materials/orthotropic/honeycomb.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/orthotropic/honeycomb_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_modified_honeycomb(const model::Model& model, const model::Material& material) {
  return prepare_honeycomb(model, material, true);
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(HoneycombLaw, {.number = 126,
                           .keyword = "MAT_MODIFIED_HONEYCOMB",
                           .supports = {.solid = true},
                           .needs = {.material_axes = true},
                           .elastic_fields = true,
                           .cost = 4,
                           .prepare = prepare_modified_honeycomb})
