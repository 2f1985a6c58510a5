// Reads a flow curve or a table over the rate of plastic strain.
#include "materials/plasticity/rate_table.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

void read_rate_table(const model::Model& model, const model::Material& material, const std::string& field,
                     std::optional<FlowCurveStorage>& storage, J2Law& law) {
  const auto id = static_cast<GlobalId>(material.field(field));
  if (id == 0) refuse(material, "CR-M103", field, "there is no curve of the yield stress");
  const LocalId index = model.table_index(id);
  if (index == model::kNone) {
    const double no_rate[] = {0.0};
    storage.emplace(std::span(&flow_curve(model, material, field), 1), no_rate);
  } else {
    const model::Table& table = model.tables[static_cast<std::size_t>(index)];
    std::vector<model::Curve> curves;
    for (const LocalId curve : table.curve)
      curves.push_back(checked_curve(material, field, model.curves.at(static_cast<std::size_t>(curve))));
    if (curves.empty()) refuse(material, "CR-M107", field, fmt::format("table {} has no curves", id));
    for (std::size_t k = 1; k < table.value.size(); ++k)
      if (!(table.value[k] > table.value[k - 1]))
        refuse(material, "CR-M107", field, fmt::format("the rates of table {} do not increase", id));
    storage.emplace(curves, table.value);
    if (curves.size() > 1) law.rate = RateEffect::table, law.viscoplastic = true;
  }
  law.curves = storage->view();
}

}  // namespace crumple::materials
