// MAT_S01 and MAT_S02 from the model.
#include "materials/discrete.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

Prepared prepare_discrete(const DiscreteLaw& law) {
  Prepared prepared;
  prepared.law = law.law;
  prepared.parameters = std::make_shared<DiscreteLaw>(law);
  return prepared;
}

double not_negative(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (!(value >= 0))
    refuse(material, "CR-M108", field, fmt::format("{} is {}, it must not be negative", field, value));
  return value;
}

}  // namespace

Prepared prepare_spring_elastic(const model::Material& material) {
  return prepare_discrete({kSpringElastic, not_negative(material, "K"), 0});
}

Prepared prepare_damper_viscous(const model::Material& material) {
  return prepare_discrete({kDamperViscous, 0, not_negative(material, "DC")});
}

}  // namespace crumple::materials
