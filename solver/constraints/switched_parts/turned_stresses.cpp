// R s R^T for the points of solids, and R a for vectors.
#include "constraints/switched_parts/turned_stresses.hpp"

#include "elements/beam/layout.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::constraints {

namespace {

void turn_vector(const state::WritableGroup& g, std::int32_t e, int first, const Matrix3& r) {
  const Vec3 turned = r * Vec3{g.variable(e, first), g.variable(e, first + 1), g.variable(e, first + 2)};
  for (int i = 0; i < 3; ++i) g.set_variable(e, first + i, turned[i]);
}

/// xx yy zz xy yz zx from variable `first` on.
void turn_tensor(const state::WritableGroup& g, std::int32_t e, int first, const Matrix3& r) {
  const auto s = [&](int k) { return g.variable(e, first + k); };
  const Matrix3 tensor{Vec3{s(0), s(3), s(5)}, Vec3{s(3), s(1), s(4)}, Vec3{s(5), s(4), s(2)}};
  Matrix3 half{};  // rows of R s; s is symmetric
  for (std::size_t i = 0; i < 3; ++i) half[i] = tensor * r[i];
  const auto turned = [&](std::size_t i, std::size_t j) { return dot(half[i], r[j]); };
  g.set_variable(e, first, turned(0, 0));
  g.set_variable(e, first + 1, turned(1, 1));
  g.set_variable(e, first + 2, turned(2, 2));
  g.set_variable(e, first + 3, turned(0, 1));
  g.set_variable(e, first + 4, turned(1, 2));
  g.set_variable(e, first + 5, turned(2, 0));
}

void turn_solid(const state::WritableGroup& g, std::int32_t e, const Matrix3& r) {
  constexpr int kPatterns = 4, kAssumedStrain = 6;
  for (int p = 0; p < g.layout.n_points; ++p)
    turn_tensor(g, e, g.layout.stress + p * g.layout.point_stride, r);
  const elements::GroupParameters& parameters = g.ready.parameters;
  if (!elements::solid::has_hourglass_stress(parameters) || parameters.hourglass.type == kAssumedStrain)
    return;  // type 6 has them in the element's frame
  for (int a = 0; a < kPatterns; ++a)
    turn_vector(g, e, elements::solid::hourglass_offset(parameters) + 3 * a, r);
}

/// Stresses of cohesive elements and of layers are in axes of their own.
bool has_global_stress(int elform) { return (elform < 19 || elform > 22) && elform < model::kThickShells; }

}  // namespace

void turn_stresses(const state::WritableGroup& g, const Matrix3& r) {
  const bool solid = g.kind() == model::ElementKind::solid && has_global_stress(g.ready.formulation->elform);
  const bool beam = g.kind() == model::ElementKind::beam && g.layout.stress_is_local;
  if (!solid && !beam) return;
  for (std::int32_t e = 0; e < g.count; ++e) {
    if (!g.is_alive(e)) continue;
    if (solid)
      turn_solid(g, e, r);
    else
      turn_vector(g, e, elements::beam::kAxis, r);
  }
}

}  // namespace crumple::constraints
