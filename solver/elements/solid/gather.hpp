// Moves nodal motion into SIMD lanes and adds nodal forces back in fixed point.
//
// Positions and velocities are taken relative to the element's first node while still in double, so that
// a model far from the origin, or moving fast as a whole, loses nothing when the lanes are float. Uniform
// gradients and hourglass vectors are orthogonal to translations, so nothing is missed.
#pragma once

#include "elements/kernel.hpp"
#include "parallel/fixed_point.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Positions and velocities of N nodes relative to the first one, [node][direction].
template <class V, int N>
struct NodalMotion {
  V x[N][3], v[N][3];
};

/// Difference of one vector array between every node and the first; `nodes` points at lane 0 of node 0.
template <class V, int N>
void gather_relative(const Vec3* array, const std::int32_t* nodes, V (&out)[N][3]) {
  using T = simd::scalar_t<V>;
  constexpr int W = simd::width_v<V>;
  alignas(64) T lanes[N][3][W];
  for (int l = 0; l < W; ++l) {
    const Vec3 first = array[nodes[l]];
    for (int a = 1; a < N; ++a) {
      const Vec3& p = array[nodes[a * kLanes + l]];
      lanes[a][0][l] = static_cast<T>(p.x - first.x);
      lanes[a][1][l] = static_cast<T>(p.y - first.y);
      lanes[a][2][l] = static_cast<T>(p.z - first.z);
    }
  }
  for (int i = 0; i < 3; ++i) out[0][i] = V(0);
  for (int a = 1; a < N; ++a)
    for (int i = 0; i < 3; ++i) out[a][i] = simd::load<V>(lanes[a][i]);
}

template <class V, int N>
void gather_motion(const Vec3* x, const Vec3* v, const std::int32_t* nodes, NodalMotion<V, N>& motion) {
  gather_relative<V, N>(x, nodes, motion.x);
  gather_relative<V, N>(v, nodes, motion.v);
}

/// Lanes of deleted elements and padding stand still in a sound shape, so that stresses and history stay as
/// they were whatever becomes of the nodes.
template <class V, int N>
void stop_dead_lanes(NodalMotion<V, N>& motion, simd::mask_t<V> living, const int (&shape)[N][3]) {
  if (simd::all(living)) return;
  for (int a = 1; a < N; ++a)
    for (int i = 0; i < 3; ++i) {
      motion.x[a][i] = simd::select(living, motion.x[a][i], V(shape[a][i]));
      motion.v[a][i] = simd::select(living, motion.v[a][i], V(0));
    }
}

/// sum[3 * node + i] -= f[a][i] for every lane that `active` lets through, whatever its other lanes hold.
template <class V, int N>
void scatter_subtract(std::int64_t* sum, const double* scale, const std::int32_t* nodes, const V (&f)[N][3],
                      simd::mask_t<V> active) {
  using T = simd::scalar_t<V>;
  constexpr int W = simd::width_v<V>;
  alignas(64) T lanes[N][3][W];
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i) simd::store(lanes[a][i], f[a][i]);
  for (int l = 0; l < W; ++l) {
    if (!simd::lane(active, l)) continue;
    for (int a = 0; a < N; ++a) {
      const std::int32_t node = nodes[a * kLanes + l];
      const double s = scale[node];
      std::int64_t* target = sum + 3 * static_cast<std::size_t>(node);
      for (int i = 0; i < 3; ++i) target[i] -= parallel::to_fixed(static_cast<double>(lanes[a][i][l]), s);
    }
  }
}

/// energy[l] += increment of every lane in `active`; energies are double in both precisions.
template <class V>
void add_energy(double* energy, V increment, simd::mask_t<V> active) {
  const V masked = simd::select(active, increment, V(0));
  for (int l = 0; l < simd::width_v<V>; ++l) energy[l] += static_cast<double>(simd::lane(masked, l));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
