// MAT_224 (*MAT_TABULATED_JOHNSON_COOK) without temperature: J2 plasticity by curves over the rate of plastic
// strain, with a failure strain over triaxiality, Lode parameter, rate and element size.
//
// The flow stress is LCK1 over the plastic strain, or a table of it over the rate of plastic strain, which
// the return finds implicitly; it is the engine's (j2_plasticity.hpp). Failure by the sum of dp / e_f, e_f =
// LCF LCG LCI (Johnson and Cook 1985, Eng. Fract. Mech. 21, p. 31; Buyuk 2013, Development of a new metal
// material model in LS-DYNA, FAA DOT/FAA/TC-13/25), is wrappers/failure_strain.hpp. Temperatures (LCKT, LCH)
// are refused, so CP, TR and BETA have no effect.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/j2_fields.hpp"
#include "materials/plasticity/rate_table.hpp"

namespace crumple::materials {

/// Throws CR-M105 for temperatures and the second criterion, and what read_rate_table throws.
inline Prepared prepare_tabulated_johnson_cook(const model::Model& model, const model::Material& material) {
  struct Owned {
    J2Law law;
    std::optional<FlowCurveStorage> flow;
  };
  const auto refused = [&](const char* field, const char* why) {
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  };
  refused("LCKT", "softening by temperature is not supported");
  refused("LCH", "a failure strain over temperature is not supported");
  refused("FAILOPT", "the second failure criterion is not supported");
  refused("ERODE", "failed elements that are not deleted are not supported");
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<Owned>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  read_rate_table(model, material, "LCK1", owned->flow, owned->law);
  set_least_yield(owned->law);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(J2Law, {.number = 224,
                    .keyword = "MAT_TABULATED_JOHNSON_COOK",
                    .supports = {.solid = true, .shell = true},
                    .elastic_fields = true,
                    .prepare = prepare_tabulated_johnson_cook})
