// MAT_S01 to MAT_S06 from the model.
#include "materials/discrete.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with the curves they point to.
struct OwnedLaw {
  DiscreteLaw law;
  model::Curve force, scale;  ///< S06: loading, unloading
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
           table ? fmt::format("{} is a table, which is not supported", field)
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

namespace {

/// Unloading is elastic: it must begin at the origin, and give each force one elongation.
void check_unloading(const model::Material& material, const model::Curve& curve, const ForceCurve& force) {
  if (std::ranges::adjacent_find(curve.y, std::greater_equal<>()) != curve.y.end() ||
      std::fabs(force(0, true)) > 1e-9 * (curve.y.back() - curve.y.front()))
    refuse(material, "CR-M107", "LCDU",
           fmt::format("curve {} of LCDU must increase, and have no force at no elongation", curve.id));
}

/// What a first pull leaves must not shrink further on, or unloading would be less steep than loading.
void check_loading(const model::Material& material, const model::Curve& curve,
                   const GeneralNonlinearSpring& spring, double smallest) {
  for (std::size_t k = 0; k + 1 < curve.x.size(); ++k) {
    const double a = curve.x[k], b = curve.x[k + 1];
    const bool above = b > spring.first_tension, below = a < spring.first_compression;
    const double from = above ? std::max(a, spring.first_tension) : a;
    const double to = below ? std::min(b, spring.first_compression) : b;
    if ((above || below) && spring.permanent(to) - spring.permanent(from) < -smallest)
      refuse(material, "CR-M107", "LCDL",
             fmt::format("curve {} of LCDL rises more steeply, or falls more steeply, between {} and {} than "
                         "curve LCDU lets it unload",
                         curve.id, a, b));
  }
}

}  // namespace

Prepared prepare_spring_general_nonlinear(const model::Model& model, const model::Material& material) {
  const auto owned = owned_law(kSpringGeneralNonlinear);
  GeneralNonlinearSpring& spring = owned->law.general;
  spring.loading = read_curve(model, material, "LCDL", owned->force);
  spring.unloading = read_curve(model, material, "LCDU", owned->scale);
  check_unloading(material, owned->scale, spring.unloading);
  const double beta = material.field("BETA");
  using Hardening = GeneralNonlinearSpring::Hardening;
  spring.hardening = beta == 0   ? Hardening::softening
                     : beta == 1 ? Hardening::isotropic
                                 : Hardening::kinematic;
  const double length = owned->force.x.back() - owned->force.x.front();
  if (beta == 0) {
    check_loading(material, owned->force, spring, 1e-9 * length);
    spring.first_tension = spring.find(1e-13 * length, 0, 1);
    spring.first_compression = spring.find(-1e-13 * length, 0, -1);
  } else {
    if (std::ranges::adjacent_find(owned->force.y, std::greater_equal<>()) != owned->force.y.end())
      refuse(material, "CR-M107", "LCDL",
             fmt::format("curve {} of LCDL must increase where BETA is not 0", owned->force.id));
    spring.tension = positive_field(material, "TYI");
    spring.compression = material.field("CYI");
    if (!(spring.compression < 0))
      refuse(material, "CR-M108", "CYI", fmt::format("CYI is {}, it must be negative", spring.compression));
    spring.first_tension = GeneralNonlinearSpring::inverse(spring.loading, spring.tension);
    spring.first_compression = GeneralNonlinearSpring::inverse(spring.loading, spring.compression);
    check_loading(material, owned->force, spring, 1e-9 * length);
  }
  return prepare_discrete(owned);
}

}  // namespace crumple::materials
