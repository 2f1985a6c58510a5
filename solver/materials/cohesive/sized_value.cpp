// Reads constants of cohesive laws that may depend on the size of the element.
#include "materials/cohesive/sized_value.hpp"

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

SizedValue SizedValues::read(const model::Model& model, const model::Material& material,
                             const std::string& field) {
  const double given = material.field(field);
  if (given >= 0) return {positive_field(material, field), false, {}};
  return curve(model, material, field, static_cast<GlobalId>(-given));
}

SizedValue SizedValues::curve(const model::Model& model, const model::Material& material,
                              const std::string& field, GlobalId id) {
  const LocalId index = model.curve_index(id);
  if (index == model::kNone) refuse(material, "CR-M106", field, fmt::format("there is no curve {}", id));
  const model::Curve& curve = checked_curve(material, field, model.curves[static_cast<std::size_t>(index)]);
  sizes_.insert(sizes_.end(), curve.x.begin(), curve.x.end());
  const double rate = 0;
  storage_.push_back(std::make_unique<FlowCurveStorage>(std::span(&curve, 1), std::span(&rate, 1)));
  return {0, true, storage_.back()->view()};
}

std::vector<double> SizedValues::sizes() const { return sizes_.empty() ? std::vector{1.0} : sizes_; }

}  // namespace crumple::materials
