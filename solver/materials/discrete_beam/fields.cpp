// Reads the parameters of discrete beams from the fields of materials.
#include "materials/discrete_beam/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crumple::materials {

namespace {

double inverse(double limit) { return limit > 0 ? 1 / limit : 0.0; }

void check_rising(const model::Material& material, const std::string& field, const ForceCurve& f) {
  for (int k = 1; k < f.n; ++k)
    if (f.y[k] < f.y[k - 1])
      refuse(material, "CR-M107", field, fmt::format("the curve of {} must not fall", field));
}

}  // namespace

OddCurve DiscreteBeamFields::curve(const model::Material& material, const std::string& field) {
  if (material.field(field) == 0) return {};
  return {made_.read(model_, material, field), false};
}

OddCurve DiscreteBeamFields::odd_curve(const model::Material& material, const std::string& field) {
  OddCurve c = curve(material, field);
  if (!c.given()) return c;
  c.odd = c.curve.x[0] >= 0;
  double most = 0;
  for (int k = 0; k < c.curve.n; ++k) most = std::max(most, std::fabs(c.curve.y[k]));
  if (c.odd && std::fabs(c.curve(0, true)) > 1e-9 * most)
    refuse(material, "CR-M107", field,
           fmt::format("the curve of {} has no negative abscissa, so it must begin at the origin", field));
  return c;
}

OddCurve DiscreteBeamFields::yield_curve(const model::Material& material, const std::string& field,
                                         double stiffness) {
  OddCurve c = curve(material, field);
  if (!c.given()) return c;
  c.odd = c.curve.x[0] >= 0;
  for (int k = 0; k < c.curve.n; ++k) {
    const double side = c.curve.x[k] < 0 ? -1 : 1;
    if (side * c.curve.y[k] < 0 && c.curve.x[k] != 0)
      refuse(material, "CR-M107", field,
             fmt::format("the curve of {} must have the sign of its abscissa: it is a yield force", field));
  }
  c.curve.visit_slopes(0, [&](double, double slope) {
    if (slope <= -stiffness)
      refuse(
          material, "CR-M107", field,
          fmt::format("the curve of {} falls as fast as the elastic stiffness {} unloads", field, stiffness));
  });
  return c;
}

void DiscreteBeamFields::limit(int criterion, int freedom, double positive, double negative) {
  if (!(positive > 0) && !(negative > 0)) return;
  DiscreteBeamLimit& limit = law().limit[static_cast<std::size_t>(criterion)];
  limit.inverse_positive[freedom] = inverse(positive);
  limit.inverse_negative[freedom] = inverse(negative);
  law().n_limits = std::max(law().n_limits, criterion + 1);
}

void DiscreteBeamFields::spring(const model::Material& material, int freedom, bool plastic,
                                const std::string& end) {
  DiscreteBeamComponent& c = component(freedom);
  const auto number = [&](const char* name) { return material.field(name + end); };
  const std::string stiffness = fmt::format("K{}", end);
  c.stiffness = plastic ? positive_field(material, stiffness) : not_negative_field(material, stiffness);
  c.damping = not_negative_field(material, "D" + end);
  c.c1 = number("C1");
  c.c2 = number("C2");
  const double speed = material.field(fmt::format("DLE{}", end));
  c.dle = speed > 0 ? speed : 1.0;
  if (plastic) {
    c.form = ComponentForm::plastic;
    c.loading = yield_curve(material, "FLCID" + end, c.stiffness);
    if (!c.loading.given())
      refuse(material, "CR-M106", "FLCID" + end, "a plastic spring needs the curve FLCID of its yield force");
  } else {
    c.loading = odd_curve(material, "FLCID" + end);
    c.form = c.loading.given() ? ComponentForm::curve : ComponentForm::linear;
    if (c.loading.given() && c.stiffness == 0)
      refuse(material, "CR-M103", "K" + end, "K multiplies the curve FLCID, so it must be positive");
    // The factor of the rate belongs to the curve (LS-DYNA keyword manual, *MAT_074).
    if (!c.loading.given() && (c.c1 != 0 || c.c2 != 0)) c.c1 = c.c2 = 0;
  }
  c.damper = odd_curve(material, "HLCID" + end);
  c.scale = curve(material, "GLCID" + end).curve;
  limit(freedom, freedom, not_negative_field(material, "TDF" + end),
        not_negative_field(material, "CDF" + end));
}

void DiscreteBeamFields::limits_and_preloads(const model::Material& material) {
  constexpr const char* force[6] = {"FFAILR", "FFAILS", "FFAILT", "MFAILR", "MFAILS", "MFAILT"};
  constexpr const char* displacement[6] = {"UFAILR", "UFAILS", "UFAILT", "TFAILR", "TFAILS", "TFAILT"};
  constexpr const char* preload[6] = {"FOR", "FOS", "FOT", "MOR", "MOS", "MOT"};
  for (int k = 0; k < 6; ++k) {
    const double f = not_negative_field(material, force[k]),
                 d = not_negative_field(material, displacement[k]);
    limit(0, k, f, f);
    limit(1, k, d, d);
    component(k).preload = material.field(preload[k]);
  }
  law().limit[0].of_forces = true;
}

void DiscreteBeamFields::of_parts(const model::Material& material, int law_number, bool plastic) {
  constexpr const char* part[6] = {"TPIDR", "TPIDS", "TPIDT", "RPIDR", "RPIDS", "RPIDT"};
  for (int k = 0; k < 6; ++k) {
    const auto id = static_cast<GlobalId>(material.field(part[k]));
    if (id == 0) continue;
    const auto found = std::ranges::find(model_.parts, id, &model::Part::id);
    if (found == model_.parts.end() || found->material == model::kNone)
      refuse(material, "CR-M106", part[k], fmt::format("there is no part {} with a material", id));
    const model::Material& spring_of = model_.materials[static_cast<std::size_t>(found->material)];
    if (spring_of.law != law_number)
      refuse(material, "CR-M105", part[k],
             fmt::format("the material {} of part {} is *{}, not *MAT_{:03}", spring_of.id, id,
                         spring_of.name, law_number));
    spring(spring_of, k, plastic);
  }
}

void DiscreteBeamFields::general_nonlinear(const model::Material& material, int freedom,
                                           const char* stiffness, const std::string& loading,
                                           const std::string& unloading, const std::string& damping,
                                           const std::string& scale, const std::string& start) {
  DiscreteBeamComponent& c = component(freedom);
  const double option = material.field("IUNLD");
  c.loading = curve(material, loading);
  c.unloading = curve(material, unloading);
  c.damper = curve(material, damping);
  c.scale = curve(material, scale).curve;
  c.start = material.field(start);
  if (!c.loading.given()) return;
  const bool same = !c.unloading.given() || material.field(unloading) == material.field(loading);
  if (option == 0 || (option == 1 && same)) {
    c.form = ComponentForm::curve;
    c.stiffness = 1;
  } else if (option == 2) {
    c.form = ComponentForm::hysteresis;
    if (same) c.unloading = c.loading;
    check_rising(material, unloading, c.unloading.curve);
    const double steepest = std::max(c.loading.curve.steepest(), c.unloading.curve.steepest());
    const double given = not_negative_field(material, stiffness);
    c.stiffness = given > 0 ? given : steepest;
  } else {
    refuse(
        material, "CR-M105", "IUNLD",
        fmt::format("IUNLD = {} is not supported: 0, 2, or 1 without an unloading curve of its own", option));
  }
}

Prepared DiscreteBeamFields::prepared(const model::Material& material) const {
  Prepared prepared = made_.prepared();
  prepared.density = checked_density(material);
  return prepared;
}

}  // namespace crumple::materials
