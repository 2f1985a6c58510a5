// MAT_100 from the model.
#include "materials/spot_weld.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// A field that must not be negative, whatever a negative value means in LS-DYNA.
double field_without_curve(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (value < 0)
    refuse(material, "CR-M105", field,
           fmt::format("{} is {}: a curve in place of a number is not supported", field, value));
  return value;
}

}  // namespace

Prepared prepare_spot_weld(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material, 100);
  auto law = std::make_shared<SpotWeldLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  field_without_curve(material, "SIGY");
  law->yield = positive_field(material, "SIGY");
  law->hardening = material.field("EH");
  if (law->hardening < 0)
    refuse(material, "CR-M108", "EH", fmt::format("EH is {}, it must not be negative", law->hardening));
  set_failure_strain(material, "EFAIL", *law);
  law->fail_time = field_without_curve(material, "TFAIL");
  // In the order of a beam's resultants.
  constexpr const char* fields[6] = {"NRR", "NRS", "NRT", "MSS", "MTT", "MRR"};
  for (int k = 0; k < 6; ++k)
    if (const double limit = field_without_curve(material, fields[k]); limit > 0)
      law->inverse_limit[k] = 1 / limit;
  prepared.step_at_start = field_without_curve(material, "DT");
  set_least_yield(*law);
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
