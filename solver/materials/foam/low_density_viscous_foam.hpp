// MAT_073 (*MAT_LOW_DENSITY_VISCOUS_FOAM): the foam of MAT_057 with up to six Maxwell elements beside it
// (Hallquist 2006, LS-DYNA Theory Manual, material 73).
//
// Each element adds h' = GI e' - BETAI h to every component, without lateral coupling, as ED and BETA1 do in
// MAT_057; shears are the tensor's. A pair of GI without BETAI is a spring. The rest is as in
// foam/low_density_foam.hpp.
//
// History: that of MAT_057 without its element, then 6 values of each element.
#pragma once

#include "materials/foam/low_density_foam.hpp"
#include "materials/viscoelastic/prony.hpp"

namespace crumple::materials {

struct LowDensityViscousFoamLaw {
  LowDensityFoamLaw foam;
  PronySeries series;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const LowDensityViscousFoamLaw& p, SolidPoint<V>& point) {
  update_solid(p.foam, point);
  for (int i = 0; i < p.series.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    V add[6], h[6];
    for (int k = 0; k < 6; ++k) add[k] = V((k < 3 ? 1.0 : 0.5) * p.series.shear[at]) * point.d[k];
    update_maxwell(point, LowDensityFoamLaw::kMaxwell + 6 * i, decay_in(point.dt, p.series.rate[at]), add, h);
    for (int k = 0; k < 6; ++k) point.s[k] += h[k];
  }
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws what MAT_057 does, CR-M105 for constants from fits to curves.
inline Prepared prepare_low_density_viscous_foam(const model::Model& model, const model::Material& material) {
  for (const char* field : {"LCID2", "LCID3", "LCID4"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field, "constants from a fit to a curve are not supported");
  const auto owned = std::make_shared<OwnedFoam<LowDensityViscousFoamLaw>>();
  LowDensityFoamLaw& law = owned->law.foam;
  for (int i = 1; i <= 6; ++i)
    if (const std::string field = fmt::format("REF{}", i); material.field(field) != 0)
      refuse(material, "CR-M105", field, "reference geometry is not supported");
  owned->curves = read_foam_curves(model, material, "LCID", false);
  law.curve = owned->curves->view();
  law.young = positive_field(material, "E");
  law.tension = tension_cutoff(material);
  law.tears = material.field("FAIL") == 1;
  law.unloading = foam_unloading(material);
  law.decay = not_negative_field(material, "BETA");
  owned->law.series = read_prony(material, 6);
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  set_foam_properties(material, law.young, owned->curves->steepest(), owned->law.series.sum(), prepared);
  prepared.n_history = LowDensityFoamLaw::kMaxwell + 6 * owned->law.series.n;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LowDensityViscousFoamLaw, {.number = 73,
                                       .keyword = "MAT_LOW_DENSITY_VISCOUS_FOAM",
                                       .supports = {.solid = true},
                                       .cost = 8,
                                       .prepare = prepare_low_density_viscous_foam})
