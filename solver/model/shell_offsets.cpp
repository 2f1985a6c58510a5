// Where the middle surfaces of shells are: beside their nodes by NLOC or OFFSET.
#include "model/shell_offsets.hpp"

#include <algorithm>

namespace crumple::model {

double middle_offset(const Model& model, LocalId shell, double thickness) {
  const auto e = static_cast<std::size_t>(shell);
  const Part& part = model.parts[static_cast<std::size_t>(model.shells.part[e])];
  if (part.own_offsets && !model.shells.offset.empty()) return model.shells.offset[e];
  const LocalId own = model.shells.section.empty() ? kNone : model.shells.section[e];
  const LocalId section = own != kNone ? own : part.section;
  return section == kNone ? 0.0 : -0.5 * model.sections[static_cast<std::size_t>(section)].nloc * thickness;
}

bool any_middle_offset(const Model& model) {
  return std::ranges::any_of(model.parts, &Part::own_offsets) ||
         std::ranges::any_of(model.sections, [](const Section& s) { return s.nloc != 0.0; });
}

}  // namespace crumple::model
