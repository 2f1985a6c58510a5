// Curves of springs and dampers from the model.
#include "materials/discrete/force_curve_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crumple::materials {

model::Curve force_curve_of(const model::Model& model, const model::Material& material,
                            const std::string& field) {
  const auto id = static_cast<GlobalId>(material.field(field));
  const LocalId index = model.curve_index(id);
  if (index == model::kNone) {
    const bool table = model.table_index(id) != model::kNone;
    refuse(material, table ? "CR-M105" : "CR-M106", field,
           table ? fmt::format("{} is a table, which is not supported", field)
                 : fmt::format("there is no curve {}", id));
  }
  const model::Curve& curve = model.curves[static_cast<std::size_t>(index)];
  if (curve.x.size() < 2 || std::ranges::adjacent_find(curve.x, std::greater_equal<>()) != curve.x.end())
    refuse(material, "CR-M107", field,
           fmt::format("curve {} of {} needs two points or more, of increasing abscissa", id, field));
  return curve;
}

}  // namespace crumple::materials
