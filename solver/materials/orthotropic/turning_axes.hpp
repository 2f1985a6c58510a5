// Axes of a solid's material that stay at right angles and turn with the rotation of each step, as the stress
// does: components of stress and strain along them.
//
// The history is that of axes.hpp. As the stress turns by the same rotation, its components along the axes
// change by strain only. Only the change of the stress is turned back, as in shells.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/principal_axes.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Length 1 and right angles, to first order of their errors, which are those of rounding in one step.
template <class V>
void straighten(V (&axis)[3][3]) {
  const auto product = [](const V(&u)[3], const V(&v)[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; };
  const V half(0.5), three_halves(1.5);
  const V first = three_halves - half * product(axis[0], axis[0]);
  for (V& x : axis[0]) x *= first;
  const V along = product(axis[0], axis[1]);
  for (int i = 0; i < 3; ++i) axis[1][i] -= along * axis[0][i];
  const V second = three_halves - half * product(axis[1], axis[1]);
  for (V& x : axis[1]) x *= second;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    axis[2][i] = axis[0][j] * axis[1][k] - axis[0][k] * axis[1][j];
  }
}

/// The axes at the end of the step; kept in the history.
template <class V>
void turn_axes(const SolidPoint<V>& point, V (&axis)[3][3]) {
  for (int k = 0; k < 9; ++k)
    axis[k / 3][k % 3] = point.history.template load<V>(k) + V(k % 4 == 0 ? 1.0 : 0.0);
  if (!point.rotation) return;
  for (auto& of : axis) {
    const V x = of[0], y = of[1], z = of[2];
    for (int i = 0; i < 3; ++i)
      of[i] = point.rotation[i][0] * x + point.rotation[i][1] * y + point.rotation[i][2] * z;
  }
  straighten(axis);
  for (int k = 0; k < 9; ++k) point.history.store(k, axis[k / 3][k % 3] - V(k % 4 == 0 ? 1.0 : 0.0));
}

/// Components along axes, aa bb cc ab bc ca, of a symmetric tensor.
template <class V>
void components_along(const V (&axis)[3][3], const V (&of)[6], V (&to)[6]) {
  for (int i = 0; i < 3; ++i) to[i] = component(axis[i], of, axis[i]);
  for (int i = 0; i < 3; ++i) to[3 + i] = component(axis[kFirstOfPair[i]], of, axis[kSecondOfPair[i]]);
}

/// Adds the tensor that has these components along axes.
template <class V>
void add_from_axes(const V (&axis)[3][3], const V (&of)[6], V (&to)[6]) {
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    V sum = of[0] * axis[0][i] * axis[0][j];
    for (int a = 1; a < 3; ++a) sum += of[a] * axis[a][i] * axis[a][j];
    for (int p = 0; p < 3; ++p) {
      const V(&u)[3] = axis[kFirstOfPair[p]];
      const V(&v)[3] = axis[kSecondOfPair[p]];
      sum += of[3 + p] * (u[i] * v[j] + v[i] * u[j]);
    }
    to[k] += sum;
  }
}

/// Calls update(d, s) with the strain increment (engineering shears) and the stress of a solid's point along
/// its material's axes; `update` changes the stress.
template <class V, class Update>
void along_turning_axes(SolidPoint<V>& point, Update update) {
  V axis[3][3], tensor[6], d[6], before[6], s[6];
  turn_axes(point, axis);
  for (int k = 0; k < 6; ++k) tensor[k] = k < 3 ? point.d[k] : V(0.5) * point.d[k];
  components_along(axis, tensor, d);
  for (int k = 3; k < 6; ++k) d[k] += d[k];
  components_along(axis, point.s, before);
  for (int k = 0; k < 6; ++k) s[k] = before[k];
  update(d, s);
  for (int k = 0; k < 6; ++k) before[k] = s[k] - before[k];
  add_from_axes(axis, before, point.s);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
