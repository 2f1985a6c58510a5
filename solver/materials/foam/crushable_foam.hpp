// MAT_063 (*MAT_CRUSHABLE_FOAM), MODEL = 0: foam that stays crushed, by its yield stress over volumetric
// strain.
//
// A trial stress without lateral coupling, s + E d, is formed, and its principal values are limited: to the
// curve's yield stress at 1 - V / V0 in compression, to TSC in tension (Hallquist 2006, LS-DYNA Theory
// Manual, material 63). Unloading is elastic. The modulus E of loading and unloading is not the field E, but
// the slope of the curve's end (LS-DYNA Keyword Manual: E "is otherwise not used"). The stable step is that
// of this slope, or of E where it is larger; other slopes of the curve do not act beyond it, as the trial
// stress limits them.
//
// No history.
#pragma once

#include "materials/foam/crush.hpp"
#include "materials/foam/foam_curves.hpp"

namespace crumple::materials {

struct CrushableFoamLaw {
  FoamCurves curve;
  double modulus = 0, tension = 0;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const CrushableFoamLaw& p, SolidPoint<V>& point) {
  const V volume = simd::select(point.volume_ratio > V(0), point.volume_ratio, V(1));
  const V yield = foam_stress(p.curve, simd::max(V(1) - volume, V(0))).stress;
  crush(point, p.modulus, p.tension, yield);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws CR-M105 for MODEL = 1, CR-M107 for a curve that falls at its end, CR-M103 unless E is positive.
inline Prepared prepare_crushable_foam(const model::Model& model, const model::Material& material) {
  if (material.field("MODEL") != 0)
    refuse(material, "CR-M105", "MODEL", "the elliptic yield surface of MODEL = 1 is not supported");
  const auto owned = std::make_shared<OwnedFoam<CrushableFoamLaw>>();
  CrushableFoamLaw& law = owned->law;
  owned->curves = read_yield_curve(model, material, "LCID");
  law.curve = owned->curves->view();
  const double young = positive_field(material, "E");
  law.modulus = owned->curves->last_slope();
  if (!(law.modulus > 0))
    refuse(material, "CR-M107", "LCID",
           "the slope at the end of the curve is the modulus, it must be positive");
  law.tension = not_negative_field(material, "TSC");
  checked_poisson(material, material.field("PR"));
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(std::max(law.modulus, young), 0);
  prepared.damping = foam_damping(material, "DAMP");
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CrushableFoamLaw, {.number = 63,
                               .keyword = "MAT_CRUSHABLE_FOAM",
                               .supports = {.solid = true},
                               .cost = 4,
                               .prepare = prepare_crushable_foam})
