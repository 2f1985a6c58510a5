// Which variables are stresses.
#include "elements/unstressed.hpp"

#include "elements/shell/state.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::elements {

void remove_stress(const Formulation& formulation, const GroupParameters& group, const StateLayout& layout,
                   std::span<double> variables) {
  const auto clear = [&](int first, int count) {
    for (int k = first; k < first + count; ++k) variables[static_cast<std::size_t>(k) * kLanes] = 0.0;
  };
  constexpr int stresses = 6, resultants = 6, corners = 4, shell_hourglass = 5, solid_hourglass = 12;
  if (formulation.kind == model::ElementKind::discrete) return;
  for (int p = 0; p < layout.n_points; ++p) clear(layout.stress + p * layout.point_stride, stresses);
  if (layout.resultants >= 0) clear(layout.resultants, resultants);
  if (formulation.kind == model::ElementKind::shell) {
    clear(shell::kHourglass, shell_hourglass);
    if (group.drilling > 0) clear(shell::drilling_at(group), corners);
  }
  if (formulation.kind == model::ElementKind::solid && solid::has_hourglass_stress(group))
    clear(solid::hourglass_offset(group), solid_hourglass);
}

}  // namespace crumple::elements
