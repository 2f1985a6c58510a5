// Prepares a material for the kernels: finds the row of its law, which reads the fields.
#include "materials/prepare.hpp"

#include "materials/wrappers/add_damage.hpp"
#include "materials/wrappers/add_diem.hpp"
#include "materials/wrappers/add_erosion.hpp"
#include "materials/wrappers/failure_strain.hpp"

namespace crumple::materials {

Prepared prepare(const model::Model& model, const model::Material& material) {
  const Row* row = find_law(material.law);
  if (!row) refuse(material, "CR-M101", "", "this material law is not supported");
  Prepared prepared = row->prepare(model, material);
  if (prepared.law.row) row = prepared.law.row;  // with an equation of state
  prepared.law = {row, row->updates, prepared.parameters.get()};
  prepared = add_failure_strain(model, material, std::move(prepared));
  prepared = add_damage(model, material, std::move(prepared));
  prepared = add_diem(model, material, std::move(prepared));
  return add_erosion(model, material, std::move(prepared));
}

void check_needs(const Needs& needs, const model::Material& material, const Needs& gives,
                 const std::string& elements) {
  const std::string names = missing(needs, gives);
  if (!names.empty())
    refuse(material, "CR-M109", "",
           fmt::format("the law needs {}, which {} elements do not give", names, elements));
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

double not_negative_field(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (!(value >= 0))
    refuse(material, "CR-M108", field, fmt::format("{} is {}, it must not be negative", field, value));
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

Prepared prepare_isotropic(const model::Material& material) {
  Prepared prepared;
  prepared.density = checked_density(material);
  const double young = positive_field(material, "E");
  prepared.elastic = elastic_constants(young, checked_poisson(material, material.field("PR")));
  return prepared;
}

}  // namespace crumple::materials
