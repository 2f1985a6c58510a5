// MAT_003 (*MAT_PLASTIC_KINEMATIC): bilinear J2 plasticity, isotropic to kinematic hardening by BETA.
//
// With the plastic modulus E_p = E ETAN / (E - ETAN) the flow stress is SIGY + BETA E_p p and the back
// stress moves by (2/3) (1 - BETA) E_p per plastic strain (Krieg and Key 1976; Prager 1956). SRC, SRP
// scale the flow stress by 1 + (rate / SRC)^(1 / SRP) (Cowper and Symonds 1957), with the rate of total
// strain or, VP = 1, of plastic strain. FS > 0 is the plastic strain at which a point fails.
// State: plastic strain; the back stress where BETA < 1. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_plastic_kinematic(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const double beta = material.field("BETA");
  if (!(beta >= 0 && beta <= 1))
    refuse(material, "CR-M108", "BETA", fmt::format("BETA is {}, it must lie between 0 and 1", beta));
  const double plastic_modulus = plastic_modulus_from_etan(material);

  auto law = std::make_shared<J2Law>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "SIGY");
  law->hardening = beta * plastic_modulus;
  law->kinematic = (1 - beta) * plastic_modulus;
  set_failure_strain(material, "FS", *law);
  set_viscoplastic(material, *law);
  if (law->deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  set_cowper_symonds(material, "SRC", "SRP", *law);
  set_least_yield(*law);
  prepared.n_history = law->kinematic > 0 ? kBackStressVariables : 0;
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

// Uses the updates of MAT_024.
CRUMPLE_ROW(J2Law, {.number = 3,
                    .keyword = "MAT_PLASTIC_KINEMATIC",
                    .supports = {.solid = true, .shell = true, .beam = true},
                    .elastic_fields = true,
                    .prepare = prepare_plastic_kinematic})
