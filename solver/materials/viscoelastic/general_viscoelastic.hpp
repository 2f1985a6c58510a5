// MAT_076 (*MAT_GENERAL_VISCOELASTIC): elastic pressure, and shear that relaxes by a Prony series of up to 18
// terms (Hallquist 2006, LS-DYNA Theory Manual, material 76), by viscoelastic/relaxing_shear.hpp. A term
// without decay is a spring. PCF = 1 shows no pressure that pulls; EF = 1 leaves the moduli as they are at
// once. The stable step is that of BULK and all terms, which do not stiffen.
#pragma once

#include "materials/viscoelastic/relaxing_shear.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M105 for fits to curves, bulk relaxation and temperatures, CR-M103 unless BULK and a GI are
/// positive, CR-M108 for negative terms.
inline Prepared prepare_general_viscoelastic(const model::Model&, const model::Material& material) {
  for (const char* field : {"LCID", "LCIDK"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field, "constants from a fit to a curve are not supported");
  if (material.field("TREF") != 0 || material.field("A") != 0)
    refuse(material, "CR-M105", "TREF", "shifts by temperature are not supported");
  for (int i = 1; i <= PronySeries::kMost; ++i)
    if (const std::string field = fmt::format("KI{}", i); material.field(field) != 0)
      refuse(material, "CR-M105", field, "relaxation of the bulk modulus is not supported");
  RelaxingShearLaw law;
  law.bulk = positive_field(material, "BULK");
  law.no_pull = material.field("PCF") == 1;
  const PronySeries all = read_prony(material, PronySeries::kMost);
  const bool elastic = material.field("EF") == 1;
  for (int i = 0; i < all.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (elastic || all.rate[at] == 0) {
      law.shear += all.shear[at];
    } else {
      const auto to = static_cast<std::size_t>(law.prony.n++);
      law.prony.shear[to] = all.shear[at];
      law.prony.rate[to] = all.rate[at];
    }
  }
  if (!(all.sum() > 0)) refuse(material, "CR-M103", "GI1", "there is no positive GI");
  Prepared prepared = prepared_with(law);
  set_relaxing_properties(material, law, prepared);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(RelaxingShearLaw, {.number = 76,
                               .keyword = "MAT_GENERAL_VISCOELASTIC",
                               .supports = {.solid = true},
                               .cost = 2,
                               .prepare = prepare_general_viscoelastic})
