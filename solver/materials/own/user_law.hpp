// MAT_041-050 (*MAT_USER_DEFINED_MATERIAL_MODELS): a user's own law (user_routine.hpp).
//
// The routine gets strain increments and the rotated stress in the frame in which the element computes: the
// global one, or that of the element; the lamina's for shells, where it gives the thickness strain back; of
// beams xx, xy and zx. With IHYPER = 1 it gets the deformation gradient of solids in the same frame, F = (1 -
// d/2)^-1 (1 + d/2) R F of every step, with R its rotation: second order in the strain of a step (e.g. Simo
// and Hughes 1998, section 8.3.2), exact in rotation.
//
// Tangents for implicit runs are differences of the routine's stress, so a routine needs no utan. What the
// rotation of the stress adds is in them, but not what that of F adds with IHYPER = 1.
//
// History: NHV variables of the routine; F - 1 by columns, with IHYPER; the time; whether the point has
// failed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "materials/law.hpp"
#include "materials/own/user_routine.hpp"

namespace crumple::materials {

struct UserLaw {
  UserRoutine routine;
  int variables = 0;      ///< NHV
  bool gradient = false;  ///< IHYPER
  bool may_fail = false;  ///< IFAIL
  int time_at() const { return variables + (gradient ? kGradient : 0); }
};

inline namespace CRUMPLE_ISA {

/// Place of lane i in the memory of a vector's values, whose parts are `apart` values from each other.
template <class V>
std::ptrdiff_t lane_at(int i, std::ptrdiff_t apart) {
  constexpr int width = simd::width_v<V> / simd::parts_v<V>;
  return i / width * apart + i % width;
}

/// Values of a vector as doubles.
template <class V>
void get_lanes(const V& from, std::array<double, kUserPoints>& to) {
  constexpr int parts = simd::parts_v<V>, n = simd::width_v<V>;
  alignas(64) simd::scalar_t<V> values[n];
  simd::store(values, n / parts, from);
  std::copy(values, values + n, to.begin());
}
template <class V>
V from_lanes(const std::array<double, kUserPoints>& from) {
  constexpr int parts = simd::parts_v<V>, n = simd::width_v<V>;
  alignas(64) simd::scalar_t<V> values[n];
  for (int i = 0; i < n; ++i) values[i] = static_cast<simd::scalar_t<V>>(from[static_cast<std::size_t>(i)]);
  return simd::load<V>(values, n / parts);
}

/// F of the end of the step, by columns, from that of its beginning.
inline void stretch_gradient(const std::array<double, 6>& d, const std::array<double, 9>& rotation,
                             std::array<double, 9>& f) {
  const double e[3][3] = {{d[0], d[3] / 2, d[5] / 2}, {d[3] / 2, d[1], d[4] / 2}, {d[5] / 2, d[4] / 2, d[2]}};
  const auto at = [](int i, int j) { return 3 * static_cast<std::size_t>(j) + static_cast<std::size_t>(i); };
  double low[3][3], turned[3][3], right[3][3];  // 1 - d/2, R F, (1 + d/2) R F
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      low[i][j] = (i == j ? 1.0 : 0.0) - e[i][j] / 2;
      turned[i][j] = 0;
      for (int k = 0; k < 3; ++k) turned[i][j] += rotation[at(k, i)] * f[at(k, j)];
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      right[i][j] = turned[i][j];
      for (int k = 0; k < 3; ++k) right[i][j] += e[i][k] / 2 * turned[k][j];
    }
  double adjoint[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, g = (i + 2) % 3;
      adjoint[i][j] = low[a][c] * low[b][g] - low[a][g] * low[b][c];
    }
  const double det = low[0][0] * adjoint[0][0] + low[0][1] * adjoint[1][0] + low[0][2] * adjoint[2][0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      f[at(i, j)] =
          (adjoint[i][0] * right[0][j] + adjoint[i][1] * right[1][j] + adjoint[i][2] * right[2][j]) / det;
}

/// Increments, stress and history of a kind of point for the routine; the gradient is still the old one.
template <class V, class Point>
void get_points(const UserLaw& law, const Point& point, UserPoints& all) {
  constexpr int n = simd::width_v<V>;
  all.n = n;
  for (std::size_t k = 0; k < 6; ++k)
    get_lanes(point.d[k], all.strain[k]), get_lanes(point.s[k], all.stress[k]);
  get_lanes(point.plastic_strain, all.plastic_strain);
  get_lanes(point.dt, all.dt);
  const auto& h = point.history;
  for (int i = 0; i < n; ++i) {
    const auto lane = static_cast<std::size_t>(i);
    const auto* const values = h.h + lane_at<V>(i, h.apart);
    for (int k = 0; k < law.time_at(); ++k)
      all.history[static_cast<std::size_t>(k)][lane] = static_cast<double>(values[k * h.stride]);
    all.failed[lane] = values[(law.time_at() + 1) * h.stride] != 0 ? 1 : 0;
  }
  all.time = static_cast<double>(h.h[law.time_at() * h.stride]) + all.dt[0];
}

/// Sets the deformation gradients of the end of the step; they are kept less 1.
inline void stretch_gradients(const UserLaw& law,
                              const std::array<std::array<double, kUserPoints>, 9>& rotation,
                              UserPoints& all) {
  const auto first = static_cast<std::size_t>(law.variables);
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.n); ++i) {
    std::array<double, 6> d;
    std::array<double, 9> f, r;
    for (std::size_t k = 0; k < 6; ++k) d[k] = all.strain[k][i];
    for (std::size_t k = 0; k < 9; ++k)
      f[k] = all.history[first + k][i] + (k % 4 == 0 ? 1 : 0), r[k] = rotation[k][i];
    stretch_gradient(d, r, f);
    for (std::size_t k = 0; k < 9; ++k) all.history[first + k][i] = f[k];
  }
}

/// Keeps what the routine gave; failed points stay failed, without stress.
template <class V, class Point>
void keep_points(const UserLaw& law, UserPoints& all, Point& point) {
  constexpr int n = simd::width_v<V>;
  using T = simd::scalar_t<V>;
  const auto& h = point.history;
  std::array<double, kUserPoints> failed{};
  for (int i = 0; i < n; ++i) {
    const auto lane = static_cast<std::size_t>(i);
    auto* const values = h.h + lane_at<V>(i, h.apart);
    const bool gone = values[(law.time_at() + 1) * h.stride] != 0 || (law.may_fail && all.failed[lane] != 0);
    failed[lane] = gone ? 1 : 0;
    for (std::size_t k = 0; k < 6 && gone; ++k) all.stress[k][lane] = 0;
    for (int k = 0; k < law.time_at(); ++k) {
      const double value = all.history[static_cast<std::size_t>(k)][lane];
      const bool one = k >= law.variables && (k - law.variables) % 4 == 0;
      values[k * h.stride] = static_cast<T>(one ? value - 1 : value);
    }
    values[law.time_at() * h.stride] = static_cast<T>(all.time);
    values[(law.time_at() + 1) * h.stride] = static_cast<T>(failed[lane]);
  }
  point.plastic_strain = from_lanes<V>(all.plastic_strain);
  point.failed = from_lanes<V>(failed) > V(0);
}

/// Calls the routine for strain increments that may have derivatives, and gives the stress.
template <class V, class Point>
void call_routine(const UserLaw& law, const std::array<std::array<double, kUserPoints>, 9>& rotation,
                  UserElement element, Point& point) {
  UserPoints after;
  after.element = element;
  const bool shell = element == UserElement::shell, solid = element == UserElement::solid;
  get_points<V>(law, point, after);
  const auto call = [&](UserPoints& points) {
    if (law.gradient) stretch_gradients(law, rotation, points);
    law.routine.call(points);
    for (std::size_t i = 0; i < static_cast<std::size_t>(points.n) && shell; ++i) points.stress[2][i] = 0;
  };
  V stress[6];
  if constexpr (simd::is_dual_v<V>) {
    constexpr double step = 1e-7;
    const UserPoints before = after;
    call(after);
    point.d[2] = shell ? V(after.strain[2][0]) : point.d[2];
    for (std::size_t k = 0; k < 6; ++k)
      stress[k] = V(after.stress[k][0]) + (point.s[k] - V(before.stress[k][0]));
    for (std::size_t j = 0; j < 6; ++j) {
      if (shell && j == 2) continue;
      if (!shell && !solid && (j == 1 || j == 2 || j == 4)) continue;
      UserPoints moved = before;
      moved.strain[j][0] += step;
      call(moved);
      const V by = point.d[j] - V(before.strain[j][0]);
      for (std::size_t k = 0; k < 6; ++k)
        stress[k] += V((moved.stress[k][0] - after.stress[k][0]) / step) * by;
      if (shell) point.d[2] += V((moved.strain[2][0] - after.strain[2][0]) / step) * by;
    }
  } else {
    call(after);
    for (std::size_t k = 0; k < 6; ++k) stress[k] = from_lanes<V>(after.stress[k]);
    if (shell) point.d[2] = from_lanes<V>(after.strain[2]);
  }
  keep_points<V>(law, after, point);
  for (std::size_t k = 0; k < 6; ++k) point.s[k] = simd::select(point.failed, V(0), stress[k]);
}

template <class V>
void update_solid(const UserLaw& law, SolidPoint<V>& point) {
  std::array<std::array<double, kUserPoints>, 9> rotation{};
  for (std::size_t k = 0; k < 9; ++k)
    if (point.rotation)
      get_lanes(point.rotation[k / 3][k % 3], rotation[k]);
    else
      rotation[k].fill(k % 4 == 0 ? 1 : 0);
  call_routine<V>(law, rotation, UserElement::solid, point);
}

template <class V>
void update_shell(const UserLaw& law, ShellPoint<V>& point) {
  call_routine<V>(law, {}, UserElement::shell, point);
}

/// What a routine gives across a fibre is not used.
template <class V>
void update_beam(const UserLaw& law, BeamPoint<V>& point) {
  constexpr int component[3] = {0, 3, 5};
  ShellPoint<V> fibre;
  for (int k = 0; k < 6; ++k) fibre.d[k] = fibre.s[k] = V(0);
  for (int k = 0; k < 3; ++k) fibre.d[component[k]] = point.d[k], fibre.s[component[k]] = point.s[k];
  fibre.plastic_strain = point.plastic_strain;
  fibre.history = point.history;
  fibre.dt = point.dt;
  call_routine<V>(law, {}, point.truss ? UserElement::truss : UserElement::beam, fibre);
  for (int k = 0; k < 3; ++k) point.s[k] = fibre.s[component[k]];
  point.plastic_strain = fibre.plastic_strain;
  point.failed = fibre.failed;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/own/user_law_fields.hpp"
#endif

CRUMPLE_LAW(UserLaw, {.number = 41,
                      .keyword = "MAT_USER_DEFINED_MATERIAL_MODELS",
                      .supports = {.solid = true, .shell = true, .beam = true},
                      .cost = 3,
                      .prepare = prepare_user_law})
