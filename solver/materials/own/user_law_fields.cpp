// Fields of a user's own law, and the libraries that have its routine.
#include "materials/own/user_law_fields.hpp"

#include <cmath>

#include "materials/own/user_law.hpp"
#include "materials/prepare.hpp"
#include "model/own_library.hpp"

namespace crumple::materials {

namespace {

int whole_number(const model::Material& material, const char* field, int least, int most) {
  const double value = material.field(field);
  if (value != std::floor(value) || value < least || value > most)
    refuse(material, "CR-M108", field,
           fmt::format("{} is {}, it must be from {} to {}", field, value, least, most));
  return static_cast<int>(value);
}

/// The modulus of which `field` has the place among the constants.
double modulus(const model::Material& material, const UserRoutine& routine, const char* field) {
  const int place = whole_number(material, field, 1, static_cast<int>(routine.constants.size()));
  const double value = routine.constants[static_cast<std::size_t>(place) - 1];
  if (!(value > 0))
    refuse(material, "CR-M103", field,
           fmt::format("constant {}, which {} names, is {}: it must be positive", place, field, value));
  return value;
}

UserRoutine routine_of(const model::Model& model, const model::Material& material) {
  std::vector<std::string> libraries;
  for (const model::OwnLibrary& library : model.features.of<model::OwnLibrary>())
    libraries.push_back(library.path);
  const int number = whole_number(material, "MT", 41, 50);
  if (libraries.empty())
    refuse(material, "CR-M110", "MT",
           fmt::format("there is no library with umat{}: *MODULE_LOAD names it (docs/own-laws.md)", number));
  std::string why;
  UserRoutine routine = find_user_routine(libraries, number, whole_number(material, "IVECT", 0, 1) == 1, why);
  if (!routine.function) refuse(material, "CR-M110", "MT", "the routine is in no library" + why);
  return routine;
}

}  // namespace

Prepared prepare_user_law(const model::Model& model, const model::Material& material) {
  UserLaw law;
  law.routine = routine_of(model, material);
  for (int k = 1; k <= whole_number(material, "LMC", 0, 48); ++k)
    law.routine.constants.push_back(material.field(fmt::format("P{}", k)));
  for (int k = 1; k <= whole_number(material, "LMCA", 0, 1000); ++k)
    law.routine.more_constants.push_back(material.field(fmt::format("PA{}", k)));
  law.variables = whole_number(material, "NHV", 0, kUserHistory);
  law.gradient = whole_number(material, "IHYPER", 0, 1) == 1;
  law.routine.n_history = law.time_at();
  law.routine.curves = model.curves;
  const int fail = whole_number(material, "IFAIL", -48, 1);
  law.may_fail = fail != 0;

  const double bulk = modulus(material, law.routine, "IBULK"), shear = modulus(material, law.routine, "IG");
  Prepared prepared;
  prepared.density = checked_density(material);
  const double young = 9 * bulk * shear / (3 * bulk + shear);
  prepared.elastic = elastic_constants(young, checked_poisson(material, young / (2 * shear) - 1));
  prepared.n_history = law.time_at() + 2;
  prepared.needs.rotation = law.gradient;
  if (fail < 0) {
    const auto place = static_cast<std::size_t>(-fail) - 1;
    if (place >= law.routine.constants.size())
      refuse(material, "CR-M108", "IFAIL", fmt::format("there is no constant {}", -fail));
    prepared.points_to_fail = law.routine.constants[place];
  }
  prepared.parameters = std::make_shared<UserLaw>(std::move(law));
  return prepared;
}

}  // namespace crumple::materials
