// MAT_S01 to MAT_S05 from the model.
#include "materials/discrete.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with the curves they point to.
struct OwnedLaw {
  DiscreteLaw law;
  model::Curve force, scale;
};

Prepared prepare_discrete(std::shared_ptr<OwnedLaw> owned) {
  Prepared prepared;
  prepared.law = owned->law.law;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

std::shared_ptr<OwnedLaw> owned_law(int law) {
  auto owned = std::make_shared<OwnedLaw>();
  owned->law.law = law;
  return owned;
}

double not_negative(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (!(value >= 0))
    refuse(material, "CR-M108", field, fmt::format("{} is {}, it must not be negative", field, value));
  return value;
}

/// A copy of the curve that `field` names. Throws CR-M106 where there is none, CR-M107 for one without two
/// points or with points out of order.
ForceCurve read_curve(const model::Model& model, const model::Material& material, const std::string& field,
                      model::Curve& copy) {
  const auto id = static_cast<GlobalId>(material.field(field));
  const LocalId index = model.curve_index(id);
  if (index == model::kNone) {
    const bool table = model.table_index(id) != model::kNone;
    refuse(material, table ? "CR-M105" : "CR-M106", field,
           table ? fmt::format("{} is a table, which is not there", field)
                 : fmt::format("there is no curve {}", id));
  }
  copy = model.curves[static_cast<std::size_t>(index)];
  if (copy.x.size() < 2 || std::ranges::adjacent_find(copy.x, std::greater_equal<>()) != copy.x.end())
    refuse(material, "CR-M107", field,
           fmt::format("curve {} of {} needs two points or more, of increasing abscissa", id, field));
  return {copy.x.data(), copy.y.data(), static_cast<int>(copy.x.size())};
}

}  // namespace

Prepared prepare_spring_elastic(const model::Material& material) {
  const auto owned = owned_law(kSpringElastic);
  owned->law.stiffness = not_negative(material, "K");
  return prepare_discrete(owned);
}

Prepared prepare_damper_viscous(const model::Material& material) {
  const auto owned = owned_law(kDamperViscous);
  owned->law.damping = not_negative(material, "DC");
  return prepare_discrete(owned);
}

Prepared prepare_spring_elastoplastic(const model::Material& material) {
  const auto owned = owned_law(kSpringElastoplastic);
  DiscreteLaw& law = owned->law;
  law.stiffness = positive_field(material, "K");
  law.yield = positive_field(material, "FY");
  const double tangent = material.field("KT");
  if (!(tangent >= 0 && tangent < law.stiffness))
    refuse(material, "CR-M108", "KT",
           fmt::format("KT is {}, it must lie between 0 and K = {}", tangent, law.stiffness));
  law.hardening = law.stiffness * tangent / (law.stiffness - tangent);
  return prepare_discrete(owned);
}

Prepared prepare_spring_nonlinear_elastic(const model::Model& model, const model::Material& material) {
  const auto owned = owned_law(kSpringNonlinearElastic);
  owned->law.force = read_curve(model, material, "LCD", owned->force);
  if (material.field("LCR") != 0) owned->law.scale = read_curve(model, material, "LCR", owned->scale);
  return prepare_discrete(owned);
}

Prepared prepare_damper_nonlinear_viscous(const model::Model& model, const model::Material& material) {
  const auto owned = owned_law(kDamperNonlinearViscous);
  owned->law.force = read_curve(model, material, "LCDR", owned->force);
  return prepare_discrete(owned);
}

}  // namespace crumple::materials
