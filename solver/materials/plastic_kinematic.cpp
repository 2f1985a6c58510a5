// MAT_003 from the model.
#include "materials/plastic_kinematic.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_plastic_kinematic(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material, 3);
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
