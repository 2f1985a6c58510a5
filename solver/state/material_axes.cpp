// The axes of materials as history of points.
#include "state/material_axes.hpp"

#include <cmath>

#include "elements/shell/state.hpp"

namespace crumple::state {

using model::ElementKind;

namespace {

/// Angle of the material's axis a from the axis x of the element's frame.
double angle_in_shell(const model::AxesRule& rule, const model::Model& m, LocalId shell,
                      std::span<const Vec3> corners) {
  const Vec3 a = model::shell_axis(rule, m, shell);
  const auto frame = elements::shell::shell_frame(corners.data(), static_cast<int>(corners.size()));
  return std::atan2(dot(a, frame[1]), dot(a, frame[0]));
}

}  // namespace

bool keeps_axes(ElementKind kind, const materials::Row& law) {
  return law.needs.material_axes && !law.needs.deformation_gradient &&
         (kind == ElementKind::shell || kind == ElementKind::solid);
}

void put_axes(const model::Model& m, ElementKind kind, LocalId element,
              const std::vector<model::AxesRule>& rules, const elements::GroupParameters& group,
              const elements::StateLayout& layout, std::span<const Vec3> corners,
              std::span<double> variables) {
  const auto history = [&](int point) {
    return variables.begin() + layout.history + std::ptrdiff_t(point) * layout.point_stride;
  };
  if (kind == ElementKind::solid) {
    const model::Axes axes = model::solid_axes(rules.front(), m, element);
    for (int p = 0; p < layout.n_points; ++p)
      for (int k = 0; k < 9; ++k) history(p)[k] = axes[std::size_t(k / 3)][k % 3] - (k % 4 == 0 ? 1.0 : 0.0);
    return;
  }
  std::vector<double> angles;
  for (const model::AxesRule& rule : rules) angles.push_back(angle_in_shell(rule, m, element, corners));
  for (int p = 0; p < layout.n_points; ++p) {
    const std::size_t layer = std::size_t(p) % group.layers.size();
    if (!keeps_axes(kind, *group.layers[layer].law.row)) continue;
    const double angle = angles[layer % angles.size()] + group.layers[layer].angle;
    const double half = std::sin(0.5 * angle);
    history(p)[0] = -2 * half * half;  // cosine - 1
    history(p)[1] = std::sin(angle);
  }
}

}  // namespace crumple::state
