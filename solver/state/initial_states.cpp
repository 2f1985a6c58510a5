// Turns initial stresses to the axes of elements.
//
// Hourglass stresses and bulk viscosity begin with zero. The initial volume of a solid is that at the start
// of this run. The internal energy begins with the elastic energy of the stresses: what an element can give
// back.
#include "state/initial_states.hpp"

#include <algorithm>
#include <vector>

#include "base/assert.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::state {

using model::ElementKind;

namespace {
constexpr int kTruss = 3;  ///< ELFORM
}

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

namespace {

/// Of a linear elastic, isotropic law, in the element's axes; `across`: factor of the shears yz and zx.
double energy_density(const elements::GroupParameters& group, const std::array<double, 6>& s, double across) {
  if (!(group.young > 0.0) || !(group.shear > 0.0)) return 0.0;
  const double normal = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] -
                        2.0 * group.poisson * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
  const double shear = s[3] * s[3] + across * (s[4] * s[4] + s[5] * s[5]);
  return 0.5 * normal / group.young + 0.5 * shear / group.shear;
}

double area_of(const elements::ElementInput& input, int n_nodes) {
  const Vec3* const x = input.x;
  return 0.5 * norm(n_nodes == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]));
}

/// Shares of an element's volume that its points have; their areas in the plane are taken to be equal.
std::vector<double> point_volumes(ElementKind kind, const elements::Formulation& formulation,
                                  const elements::GroupParameters& group, const elements::StateLayout& layout,
                                  const elements::ElementInput& input, std::span<const double> variables) {
  std::vector<double> volumes(static_cast<std::size_t>(layout.n_points), 0.0);
  if (kind == ElementKind::solid) {
    std::ranges::fill(volumes, variables[elements::solid::kVolume0] / layout.n_points);
    const std::size_t layers = group.layers.size();  // of thick shells
    for (std::size_t p = 0; layers > 0 && p < volumes.size(); ++p)
      volumes[p] *= 0.5 * group.layers[p % layers].weight * static_cast<double>(layers);
  } else if (kind == ElementKind::shell) {
    const std::size_t layers = group.layers.size(), planes = volumes.size() / layers;
    const double volume = area_of(input, formulation.n_nodes) * variables[at(layout.thickness)];
    for (std::size_t p = 0; p < volumes.size(); ++p)
      volumes[p] = 0.5 * group.layers[p % layers].weight * volume / static_cast<double>(planes);
  } else if (kind == ElementKind::beam) {
    const double length = norm(input.x[1] - input.x[0]);
    if (formulation.elform == kTruss) return {group.section->area * length};
    const elements::beam::CrossSection section = elements::beam::cross_section(*group.section);
    for (std::size_t p = 0; p < volumes.size(); ++p) volumes[p] = section.area[p] * length;
  }
  return volumes;
}

}  // namespace

InitialStresses::InitialStresses(const model::Model& model) {
  for (const springback::InitialStress& s : model.features.of<springback::InitialStress>())
    of_[{s.kind, s.element}] = &s;
}

double InitialStresses::put(ElementKind kind, LocalId element, const elements::Formulation& formulation,
                            const elements::GroupParameters& group, const elements::StateLayout& layout,
                            const elements::ElementInput& input, std::span<double> variables) const {
  const auto found = of_.find({kind, element});
  if (found == of_.end()) return 0.0;
  const springback::InitialStress& given = *found->second;
  CRUMPLE_ASSERT(given.values.size() == std::size_t(layout.n_points) * given.stride(), given.values.size(),
                 layout.n_points, element);
  const std::vector<double> volumes = point_volumes(kind, formulation, group, layout, input, variables);
  double energy = 0.0;
  for (int p = 0; p < layout.n_points; ++p) {
    const double* const from = &given.values[static_cast<std::size_t>(p) * given.stride()];
    std::array<double, 6> s = to_local(formulation, input.x, std::span<const double, 6>(from, 6));
    if (kind == ElementKind::shell) {
      s[2] = 0.0;  // plane stress
      for (const std::size_t across : {4, 5}) s[across] /= group.shear_factor;
    }
    energy +=
        volumes[at(p)] * energy_density(group, s, kind == ElementKind::shell ? group.shear_factor : 1.0);
    const auto point = at(p) * at(layout.point_stride);
    std::ranges::copy(s, variables.begin() + layout.stress + std::ptrdiff_t(point));
    variables[point + static_cast<std::size_t>(layout.plastic_strain)] = from[6];
    std::copy_n(from + 7, given.n_history, variables.begin() + layout.history + std::ptrdiff_t(point));
  }
  if (kind == ElementKind::beam && formulation.elform == kTruss)
    variables[static_cast<std::size_t>(layout.resultants)] = given.values[0] * group.section->area;
  return energy;
}

}  // namespace crumple::state
