// MAT_098 from the model.
#include "materials/simplified_johnson_cook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

double not_negative(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (!(value >= 0))
    refuse(material, "CR-M108", field, fmt::format("{} is {}, it must not be negative", field, value));
  return value;
}

/// A bound that is left out if its field is 0.
void set_bound(const model::Material& material, const std::string& field, double& bound) {
  if (const double value = not_negative(material, field); value > 0) bound = value;
}

}  // namespace

Prepared prepare_simplified_johnson_cook(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material, 98);
  auto law = std::make_shared<JohnsonCookLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "A");
  law->b = not_negative(material, "B");
  law->n = not_negative(material, "N");
  law->c = not_negative(material, "C");
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
