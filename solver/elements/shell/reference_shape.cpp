// State and checks that membranes share: the reference shape of fabrics, and its axes.
#include "elements/shell/reference_shape.hpp"

#include <cmath>

#include "base/error.hpp"
#include "elements/shell/given_reference.hpp"

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

namespace {

/// The plane of a shape's diagonals: side 1-2, and the fabric's axes in it.
struct FabricFrame {
  Vec3 e1, e3, a, b;
};
FabricFrame frame_of(const Vec3* x, const GroupParameters& group) {
  const Vec3 normal = cross(x[2] - x[0], x[3] - x[1]), e3 = (1 / norm(normal)) * normal;
  const Vec3 side = x[1] - x[0] - dot(x[1] - x[0], e3) * e3, e1 = (1 / norm(side)) * side;
  const Vec3 a = fabric_axis(weave_of(group), e1, e3);
  return {e1, e3, a, cross(e3, a)};
}

void put_reference(const Vec3* x, const FabricFrame& of, const GroupParameters& group,
                   std::span<double> variables) {
  const Vec3 d31 = x[2] - x[0], d42 = x[3] - x[1], h = x[0] - x[1] + x[2] - x[3];
  const auto at = variables.begin() + shell_variables(group);
  const double reference[kReferenceValues] = {dot(d31, of.a), dot(d31, of.b), dot(d42, of.a), dot(d42, of.b),
                                              dot(h, of.a),   dot(h, of.b),   dot(h, of.e3)};
  for (int k = 0; k < kReferenceValues; ++k) at[k] = reference[k];
}

}  // namespace

void initialise_membrane(const ElementInput& input, const GroupParameters& group,
                         std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
  if (!is_fabric(group)) return;
  const FabricFrame of = frame_of(input.x, group);
  put_reference(input.x, of, group, variables);
  const double cosine = dot(of.a, of.e1), sine = dot(of.a, cross(of.e3, of.e1));
  for (int p = 0; p < group.n_points; ++p) {
    const auto history = variables.begin() + kFirstPoint + p * point_stride(group) + kHistory;
    const double gradient[4] = {cosine - 1, sine, -sine, cosine - 1};
    for (int k = 0; k < 4; ++k) history[materials::kGivenGradient + k] = gradient[k];
    history[materials::kGivenAxes] = cosine - 1;
    history[materials::kGivenAxes + 1] = sine;
  }
}

void give_reference(const Vec3* reference, const GroupParameters& group, std::span<double> variables) {
  if (is_fabric(group)) put_reference(reference, frame_of(reference, group), group, variables);
}

Form membrane_form(std::span<const LocalId> corners, int elform) {
  constexpr int one_point = 5;
  std::vector<LocalId> of_triangle = triangle_corners(corners);
  if (of_triangle.empty()) return {elform, {corners.begin(), corners.end()}};
  of_triangle.push_back(of_triangle.back());
  return {one_point, std::move(of_triangle)};
}

}  // namespace crumple::elements::shell
