// State and checks that membranes share: the reference shape of fabrics, and its axes.
#include "elements/shell/reference_shape.hpp"

#include <cmath>

#include "base/error.hpp"

namespace crumple::elements::shell {

namespace {

const materials::Weave& weave_of(const GroupParameters& group) {
  return *static_cast<const materials::Weave*>(group.law.parameters);
}

/// Direction of the fabric's axis a in the plane of an element with unit normal e3 and side 1-2 along e1.
Vec3 fabric_axis(const materials::Weave& weave, const Vec3& e1, const Vec3& e3) {
  Vec3 along = e1;
  if (weave.option == 2) along = weave.vector - dot(weave.vector, e3) * e3;
  if (weave.option == 3) along = cross(weave.vector, e3);
  if (!(norm(along) > 1e-6 * norm(weave.option == 0 ? e1 : weave.vector)))
    throw Error("CR-E105", "the vector of its fabric's axes is normal to a shell");
  const Vec3 a = (1 / norm(along)) * along;
  return std::cos(weave.angle) * a + std::sin(weave.angle) * cross(e3, a);
}

}  // namespace

StateLayout membrane_layout(const GroupParameters& group) {
  StateLayout layout = shell_layout(group);
  layout.n_vars = membrane_variables(group);
  return layout;
}

void prepare_membrane(GroupParameters& group) {
  group.drilling = 0;  // nothing rotates
  if (group.nloc != 0 || group.own_offsets)
    throw Error("CR-E104", "a membrane with an offset: without moments it cannot be held beside its nodes",
                {.field = "NLOC"});
  if (is_fabric(group) && group.stiffness_damping == 0) group.stiffness_damping = weave_of(group).damping;
}

void initialise_membrane(const ElementInput& input, const GroupParameters& group,
                         std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
  if (!is_fabric(group)) return;
  const Vec3* const x = input.x;
  const Vec3 d31 = x[2] - x[0], d42 = x[3] - x[1], h = x[0] - x[1] + x[2] - x[3];
  const Vec3 normal = cross(d31, d42), e3 = (1 / norm(normal)) * normal;
  const Vec3 side = x[1] - x[0] - dot(x[1] - x[0], e3) * e3, e1 = (1 / norm(side)) * side;
  const Vec3 a = fabric_axis(weave_of(group), e1, e3), b = cross(e3, a);
  const double cosine = dot(a, e1), sine = dot(a, cross(e3, e1));
  const auto at = variables.begin() + shell_variables(group);
  const double reference[kReferenceValues] = {dot(d31, a), dot(d31, b), dot(d42, a), dot(d42, b),
                                              dot(h, a),   dot(h, b),   dot(h, e3)};
  for (int k = 0; k < kReferenceValues; ++k) at[k] = reference[k];
  for (int p = 0; p < group.n_points; ++p) {
    const auto history = variables.begin() + kFirstPoint + p * point_stride(group) + kHistory;
    const double gradient[4] = {cosine - 1, sine, -sine, cosine - 1};
    for (int k = 0; k < 4; ++k) history[materials::kGivenGradient + k] = gradient[k];
    history[materials::kGivenAxes] = cosine - 1;
    history[materials::kGivenAxes + 1] = sine;
  }
}

Form membrane_form(std::span<const LocalId> corners, int elform) {
  constexpr int one_point = 5;
  std::vector<LocalId> of_triangle = triangle_corners(corners);
  if (of_triangle.empty()) return {elform, {corners.begin(), corners.end()}};
  of_triangle.push_back(of_triangle.back());
  return {one_point, std::move(of_triangle)};
}

}  // namespace crumple::elements::shell
