// Gathers the nodal motion of W elements and scatters their nodal forces in fixed point.
//
// Coordinates and velocities are taken relative to the element's first node, in double, before they are
// rounded to the kernel's precision: a float kernel then loses nothing when a model lies far from the
// origin or moves fast as a whole.
#pragma once

#include <cstdint>

#include "elements/kernel.hpp"
#include "parallel/fixed_point.hpp"
#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

using simd::scalar_t;
using simd::width_v;

/// Motion of the N nodes of W elements, global axes, relative to node 0 (whose x and v are zero).
template <class V, int N>
struct Motion {
  V x[N][3];  ///< at t_n
  V v[N][3];  ///< at t_{n-1/2}
  V w[N][3];  ///< angular velocity at t_{n-1/2}, absolute
};

/// `nodes` is the first of this sub-block's lanes in the block's table.
template <class V, int N>
inline void gather(const KernelArguments<scalar_t<V>>& a, const std::int32_t* nodes, Motion<V, N>& m) {
  using T = scalar_t<V>;
  constexpr int W = width_v<V>;
  alignas(64) T x[N][3][W], v[N][3][W], w[N][3][W];
  for (int l = 0; l < W; ++l) {
    const Vec3 x0 = a.x[nodes[l]], v0 = a.v[nodes[l]];
    for (int n = 0; n < N; ++n) {
      const std::int32_t node = nodes[n * kLanes + l];
      const Vec3 dx = a.x[node] - x0, dv = a.v[node] - v0, wn = a.w[node];
      x[n][0][l] = T(dx.x), x[n][1][l] = T(dx.y), x[n][2][l] = T(dx.z);
      v[n][0][l] = T(dv.x), v[n][1][l] = T(dv.y), v[n][2][l] = T(dv.z);
      w[n][0][l] = T(wn.x), w[n][1][l] = T(wn.y), w[n][2][l] = T(wn.z);
    }
  }
  for (int n = 0; n < N; ++n) {
    for (int k = 0; k < 3; ++k) {
      m.x[n][k] = simd::load<V>(x[n][k]);
      m.v[n][k] = simd::load<V>(v[n][k]);
      m.w[n][k] = simd::load<V>(w[n][k]);
    }
  }
}

/// Subtract internal forces and moments (global axes) of the lanes where `alive` is not 0.
template <class V, int N>
inline void scatter(const KernelArguments<scalar_t<V>>& a, const std::int32_t* nodes, V alive,
                    const V (&f)[N][3], const V (&m)[N][3]) {
  using T = scalar_t<V>;
  constexpr int W = width_v<V>;
  alignas(64) T force[N][3][W], moment[N][3][W];
  for (int n = 0; n < N; ++n) {
    for (int k = 0; k < 3; ++k) {
      simd::store(force[n][k], f[n][k]);
      simd::store(moment[n][k], m[n][k]);
    }
  }
  for (int l = 0; l < W; ++l) {
    if (simd::lane(alive, l) == T(0)) continue;
    for (int n = 0; n < N; ++n) {
      const std::int32_t node = nodes[n * kLanes + l];
      std::int64_t* sum = a.force + 3 * std::int64_t(node);
      std::int64_t* turn = a.moment + 3 * std::int64_t(node);
      const double fs = a.force_scale[node], ms = a.moment_scale[node];
      for (int k = 0; k < 3; ++k) {
        sum[k] -= parallel::to_fixed(double(force[n][k][l]), fs);
        turn[k] -= parallel::to_fixed(double(moment[n][k][l]), ms);
      }
    }
  }
}

/// Add increments of one of the energies to the double sums of the lanes that live.
template <class V>
inline void add_energy(double* sum, V alive, V increment) {
  for (int l = 0; l < width_v<V>; ++l) {
    if (simd::lane(alive, l) != scalar_t<V>(0)) sum[l] += double(simd::lane(increment, l));
  }
}

/// Write `value` in the lanes that live.
template <class V>
inline void store_alive(scalar_t<V>* to, V alive, V value) {
  simd::store(to, simd::select(alive != V(0), value, simd::load<V>(to)));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
