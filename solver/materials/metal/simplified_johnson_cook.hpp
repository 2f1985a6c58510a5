// MAT_098 (*MAT_SIMPLIFIED_JOHNSON_COOK): J2 plasticity with the flow stress of Johnson and Cook, without
// temperature.
//
// Flow stress min(SIGSAT, min(SIGMAX, A + B p^N) (1 + C ln max(1, rate / EPSO))) over the plastic strain p
// (Johnson and Cook 1983, eq. 1, without temperature; LS-DYNA keyword manual, vol. II, MAT_098): EPSO is the
// highest rate without effect. The rate is sqrt(2/3 d'_ij d'_ij) of the deviator of total strain or, VP = 1,
// of plastic strain. PSFAIL is the plastic strain at which a point fails.
// State: plastic strain. The update is the engine's (j2_plasticity.hpp), the flow stress in
// johnson_cook_flow.hpp.
#pragma once

#include "materials/plasticity/johnson_cook_flow.hpp"

namespace crumple::materials {

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const JohnsonCookLaw& law, SolidPoint<V>& point) {
  return_solid(law, point);
}
template <class V>
void update_shell(const JohnsonCookLaw& law, ShellPoint<V>& point) {
  return_shell(law, point);
}
template <class V>
void update_beam(const JohnsonCookLaw& law, BeamPoint<V>& point) {
  return_beam(law, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <cmath>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A bound; there is none if its field is 0.
inline void set_bound(const model::Material& material, const std::string& field, double& bound) {
  if (const double value = not_negative_field(material, field); value > 0) bound = value;
}

inline Prepared prepare_simplified_johnson_cook(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<JohnsonCookLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "A");
  law->b = not_negative_field(material, "B");
  law->n = not_negative_field(material, "N");
  law->c = not_negative_field(material, "C");
  set_bound(material, "SIGMAX", law->most_static);
  set_bound(material, "SIGSAT", law->most);
  set_failure_strain(material, "PSFAIL", *law);
  set_viscoplastic(material, *law);
  if (law->deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  law->deviatoric_rate = true;
  if (law->c > 0) {
    law->rate = RateEffect::johnson_cook;
    // The engine gives the norm of the strain rate, sqrt(3/2) of its effective value.
    law->inverse_rate = (law->viscoplastic ? 1.0 : std::sqrt(2.0 / 3)) / positive_field(material, "EPSO");
  }
  law->least_yield = std::min({law->yield, law->most_static, law->most});
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(JohnsonCookLaw, {.number = 98,
                             .keyword = "MAT_SIMPLIFIED_JOHNSON_COOK",
                             .supports = {.solid = true, .shell = true, .beam = true},
                             .elastic_fields = true,
                             .prepare = prepare_simplified_johnson_cook})
