// Flow stress of MAT_036 and MAT_122 from their cards.
#include "materials/metal/sheet_fields.hpp"

#include <fmt/format.h>

#include <cmath>

#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

namespace {

/// e0 of HR = 2; without E0 and SPI that of the first intersection with the elastic line.
double first_strain(const model::Material& material, const FormulaLaw& law) {
  const double e0 = not_negative_field(material, "E0"), spi = not_negative_field(material, "SPI");
  if (e0 > 0) return e0;
  if (spi == 0) return std::pow(law.elastic.young / law.strength, 1 / (law.power_n - 1));
  return spi <= 0.02 ? spi : std::pow(spi / law.strength, 1 / law.power_n);
}

}  // namespace

void read_sheet_flow(const model::Model& model, const model::Material& material, FormulaLaw& law,
                     std::optional<FlowCurveStorage>& storage) {
  const double rule = material.field("HR");
  if (rule == 0 || rule == 1) {
    law.yield = positive_field(material, "P2");
    const double young = law.elastic.young, tangent = not_negative_field(material, "P1");
    if (!(tangent < young))
      refuse(material, "CR-M108", "P1", fmt::format("P1 is {}, it must be below E = {}", tangent, young));
    law.hardening = young * tangent / (young - tangent);
  } else if (rule == 2) {
    law.formula = Hardening::power;
    law.strength = positive_field(material, "P1");
    law.power_n = positive_field(material, "P2");
    if (!(law.power_n < 1))
      refuse(material, "CR-M108", "P2", fmt::format("P2 is {}, it must be below 1", law.power_n));
    law.first_strain = first_strain(material, law);
    law.yield = law.strength * std::pow(law.first_strain, law.power_n);
  } else if (rule == 3) {
    const double no_rate[] = {0.0};
    storage.emplace(std::span(&flow_curve(model, material, "LCID"), 1), no_rate);
    law.curves = storage->view();
  } else {
    refuse(material, "CR-M105", "HR",
           fmt::format("the hardening rule HR = {} is not supported; 1 to 3 are", rule));
  }
  set_cowper_symonds(material, "C", "P", law);
  set_least_yield(law);
}

}  // namespace crumple::materials
