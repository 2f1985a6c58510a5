// Makes a material ready for the kernels: finds its law by number and lets the law's file read the fields.
#include "materials/prepare.hpp"

#include <fmt/format.h>

#include "materials/add_erosion.hpp"
#include "materials/discrete.hpp"
#include "materials/update.hpp"

namespace crumple::materials {

namespace {

Prepared prepare_law(const model::Model& model, const model::Material& material) {
  switch (material.law) {
    case kSpringElastic:
      return prepare_spring_elastic(material);
    case kDamperViscous:
      return prepare_damper_viscous(material);
    case kSpringElastoplastic:
      return prepare_spring_elastoplastic(material);
    case kSpringNonlinearElastic:
      return prepare_spring_nonlinear_elastic(model, material);
    case kDamperNonlinearViscous:
      return prepare_damper_nonlinear_viscous(model, material);
    case kSpringGeneralNonlinear:
      return prepare_spring_general_nonlinear(model, material);
#define CRUMPLE_LAW(NUMBER, PARAMETERS, PREPARE) \
  case NUMBER:                                   \
    return PREPARE(model, material);
#include "materials/laws.def"
#undef CRUMPLE_LAW
  }
  refuse(material, "CR-M101", "", "this material law is not supported");
}

}  // namespace

Prepared prepare(const model::Model& model, const model::Material& material) {
  return add_erosion(material, prepare_law(model, material));
}

void refuse(const model::Material& material, const std::string& id, const std::string& field,
            const std::string& what) {
  Place place = material.place;
  if (!field.empty()) place.field = field;
  throw Error(id, fmt::format("material {} ({}): {}", material.id, material.name, what), place);
}

double positive_field(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (!(value > 0))
    refuse(material, "CR-M103", field, fmt::format("{} is {}, it must be positive", field, value));
  return value;
}

double checked_density(const model::Material& material) {
  if (!(material.density > 0))
    refuse(material, "CR-M102", "RO",
           fmt::format("the density is {}, it must be positive", material.density));
  return material.density;
}

double checked_poisson(const model::Material& material, double poisson) {
  if (!(poisson > -1 && poisson < 0.5))
    refuse(material, "CR-M104", "PR",
           fmt::format("Poisson's ratio is {}, it must lie between -1 and 0.5", poisson));
  return poisson;
}

Elastic elastic_constants(double young, double poisson) {
  return {young, poisson, young / (2 * (1 + poisson)), young / (3 * (1 - 2 * poisson))};
}

Prepared prepare_isotropic(const model::Material& material, int law) {
  Prepared prepared;
  prepared.law = law;
  prepared.density = checked_density(material);
  const double young = positive_field(material, "E");
  prepared.elastic = elastic_constants(young, checked_poisson(material, material.field("PR")));
  return prepared;
}

}  // namespace crumple::materials
