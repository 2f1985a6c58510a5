// MAT_012 from the model.
#include "materials/isotropic_elastic_plastic.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_isotropic_elastic_plastic(const model::Model&, const model::Material& material) {
  const double shear = positive_field(material, "G"), bulk = positive_field(material, "BULK");
  Prepared prepared;
  prepared.law = 12;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(9 * bulk * shear / (3 * bulk + shear),
                                       (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear)));
  auto law = std::make_shared<LowCostLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "SIGY");
  law->hardening = material.field("ETAN");
  if (!(law->hardening >= 0))
    refuse(material, "CR-M108", "ETAN", fmt::format("ETAN is {}, it must not be negative", law->hardening));
  set_least_yield(*law);
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
