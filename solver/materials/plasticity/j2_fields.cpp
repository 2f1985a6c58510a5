// Fields that several J2 laws read in the same way.
#include "materials/plasticity/j2_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace crumple::materials {

const model::Curve& checked_curve(const model::Material& material, const std::string& field,
                                  const model::Curve& curve) {
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", field, fmt::format("curve {} of {} {}", curve.id, field, why));
  };
  if (curve.x.size() < 2) unusable(fmt::format("has {} points, it needs two", curve.x.size()));
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (!(curve.x[k] > curve.x[k - 1]))
      unusable(fmt::format("has abscissa {} after {}, they must increase", curve.x[k], curve.x[k - 1]));
  for (const double y : curve.y)
    if (!(y > 0)) unusable(fmt::format("has the ordinate {}, it must be positive", y));
  return curve;
}

const model::Curve& flow_curve(const model::Model& model, const model::Material& material,
                               const std::string& field) {
  const auto id = static_cast<GlobalId>(material.field(field));
  const LocalId curve = model.curve_index(id);
  if (curve == model::kNone) refuse(material, "CR-M106", field, fmt::format("there is no curve {}", id));
  return checked_curve(material, field, model.curves[static_cast<std::size_t>(curve)]);
}

std::optional<model::Curve> flow_points(const model::Material& material) {
  model::Curve curve;
  for (int k = 1; k <= 8; ++k) {
    const double strain = material.field(fmt::format("EPS{}", k));
    const double stress = material.field(fmt::format("ES{}", k));
    if (strain == 0 && stress == 0) break;
    curve.x.push_back(strain);
    curve.y.push_back(stress);
  }
  if (curve.x.empty()) return std::nullopt;
  return checked_curve(material, "EPS1-8", curve);
}

double plastic_modulus_from_etan(const model::Material& material) {
  const double young = material.field("E"), tangent = material.field("ETAN");
  if (!(tangent >= 0 && tangent < young))
    refuse(material, "CR-M108", "ETAN",
           fmt::format("ETAN is {}, it must lie between 0 and E = {}", tangent, young));
  return young * tangent / (young - tangent);
}

void set_failure_strain(const model::Material& material, const std::string& field, J2Law& law) {
  const double strain = material.field(field);
  if (strain < 0)
    refuse(material, "CR-M105", field,
           fmt::format("{} is {}: failure by a user's routine is not supported", field, strain));
  if (strain > 0) law.fail = strain;
}

void set_viscoplastic(const model::Material& material, J2Law& law) {
  const double vp = material.field("VP");
  if (vp != 0 && vp != 1 && vp != -1)
    refuse(material, "CR-M105", "VP", fmt::format("VP = {} is not supported, only -1, 0 and 1", vp));
  law.viscoplastic = vp == 1;
  law.deviatoric_rate = vp == -1;
}

void set_least_yield(J2Law& law) {
  const auto least = [](const FlowCurves& c) {
    double value = std::numeric_limits<double>::infinity();
    for (int k = 0; k < c.n_curves; ++k) {
      const double* v = c.value + k * c.n_segments;
      value = std::min(value, *std::min_element(v, v + c.n_segments));
      if (c.first > 0) value = std::min(value, v[0] - c.slope[k * c.n_segments] * c.first);
    }
    return value;
  };
  law.least_yield = law.curves.n_curves > 0 ? least(law.curves) : law.yield;
  if (law.rate == RateEffect::scale_curve) law.least_yield *= least(law.scale);
}

void set_cowper_symonds(const model::Material& material, const std::string& c_field,
                        const std::string& p_field, J2Law& law) {
  const double c = material.field(c_field), p = material.field(p_field);
  if (c == 0 && p == 0) return;
  if (!(c > 0))
    refuse(material, "CR-M108", c_field,
           fmt::format("{} is {}, it must be positive beside {} = {}", c_field, c, p_field, p));
  if (!(p > 0))
    refuse(material, "CR-M108", p_field,
           fmt::format("{} is {}, it must be positive beside {} = {}", p_field, p, c_field, c));
  law.rate = RateEffect::cowper_symonds;
  law.inverse_c = 1 / c;
  law.power = p;
  law.inverse_power = 1 / p;
}

}  // namespace crumple::materials
