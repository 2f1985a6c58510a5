// Turns initial stresses to the axes of elements.
//
// Hourglass stresses, bulk viscosity and energies begin with zero. The initial volume of a solid is that at
// the start of this run.
#include "state/initial_states.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace crumple::state {

using model::ElementKind;

bool any_initial_stress(const model::Model& model) {
  return !model.features.of<springback::InitialStress>().empty();
}

/// The image of a unit tensor e_a e_b (and e_b e_a) in global axes has as its product with a stress the
/// component ab along the element's axes; twice that of a shear, which it has in two places.
std::array<double, 6> to_local(const elements::Formulation& formulation, const Vec3* x,
                               std::span<const double, 6> global) {
  std::array<double, 6> local{};
  if (formulation.to_global == nullptr) {
    std::ranges::copy(global, local.begin());
    return local;
  }
  for (std::size_t c = 0; c < 6; ++c) {
    std::array<double, 6> unit{}, image{};
    unit[c] = 1.0;
    formulation.to_global(x, unit.data(), image.data());
    double product = 0.0;
    for (std::size_t k = 0; k < 6; ++k) product += (k < 3 ? 1.0 : 2.0) * global[k] * image[k];
    local[c] = c < 3 ? product : 0.5 * product;
  }
  return local;
}

InitialStresses::InitialStresses(const model::Model& model) {
  for (const springback::InitialStress& s : model.features.of<springback::InitialStress>())
    of_[{s.kind, s.element}] = &s;
}

void InitialStresses::put(ElementKind kind, LocalId element, const elements::Formulation& formulation,
                          const elements::GroupParameters& group, const elements::StateLayout& layout,
                          const elements::ElementInput& input, std::span<double> variables) const {
  const auto found = of_.find({kind, element});
  if (found == of_.end()) return;
  const springback::InitialStress& given = *found->second;
  CRUMPLE_ASSERT(given.values.size() == std::size_t(layout.n_points) * given.stride(), given.values.size(),
                 layout.n_points, element);
  for (int p = 0; p < layout.n_points; ++p) {
    const double* const from = &given.values[static_cast<std::size_t>(p) * given.stride()];
    std::array<double, 6> s = to_local(formulation, input.x, std::span<const double, 6>(from, 6));
    if (kind == ElementKind::shell) {
      s[2] = 0.0;  // plane stress
      for (const std::size_t across : {4, 5}) s[across] /= group.shear_factor;
    }
    const auto point = static_cast<std::size_t>(p * layout.point_stride);
    std::ranges::copy(s, variables.begin() + layout.stress + std::ptrdiff_t(point));
    variables[point + static_cast<std::size_t>(layout.plastic_strain)] = from[6];
    std::copy_n(from + 7, given.n_history, variables.begin() + layout.history + std::ptrdiff_t(point));
  }
  constexpr int truss = 3;
  if (kind == ElementKind::beam && formulation.elform == truss)
    variables[static_cast<std::size_t>(layout.resultants)] = given.values[0] * group.section->area;
}

}  // namespace crumple::state
