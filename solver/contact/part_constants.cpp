// Takes the constants from prepared materials.
#include "contact/part_constants.hpp"

#include "materials/prepare.hpp"

namespace crumple::contact {

std::vector<PartConstants> part_constants(const model::Model& model) {
  std::vector<PartConstants> constants;
  for (const model::Part& part : model.parts) {
    PartConstants& c = constants.emplace_back();
    if (part.material == model::kNone || part.kind == model::ElementKind::none ||
        part.kind == model::ElementKind::discrete)
      continue;
    const materials::Prepared p = materials::prepare(model, model.materials[part.material]);
    c = {p.elastic.bulk, p.elastic.young, p.density};
  }
  return constants;
}

}  // namespace crumple::contact
