// Adds nodal forces of SIMD lanes to sums in fixed point, and energies to the elements'.
#pragma once

#include <cstdint>

#include "elements/kernel.hpp"
#include "parallel/fixed_point.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

namespace lanes {

/// Three components of W lanes times the scale of each lane's node, in fixed point.
template <class V, int W>
inline void to_fixed(const V (&f)[3], const double* scale, const std::int32_t* nodes,
                     std::int64_t (&fixed)[3][W]) {
  using D = simd::Vec<double, 8>;
  if constexpr (simd::rounds_v<D> && W >= 8) {
    for (int first = 0; first < W; first += 8) {
      const D s = simd::gather<D>(scale, nodes + first);
      for (int i = 0; i < 3; ++i) simd::store_rounded(fixed[i] + first, simd::widen(f[i], first) * s);
    }
  } else {
    for (int l = 0; l < W; ++l) {
      const double s = scale[nodes[l]];
      for (int i = 0; i < 3; ++i)
        fixed[i][l] = parallel::to_fixed(static_cast<double>(simd::lane(f[i], l)), s);
    }
  }
}

}  // namespace lanes

/// sum[3 * node + i] -= f[a][i] for every lane that `active` lets through, whatever its other lanes hold.
template <class V, int N>
inline void scatter_subtract(std::int64_t* sum, const double* scale, const std::int32_t* nodes,
                             const V (&f)[N][3], simd::mask_t<V> active) {
  constexpr int W = simd::width_v<V>;
  alignas(64) std::int64_t fixed[N][3][W];
  for (int a = 0; a < N; ++a) lanes::to_fixed(f[a], scale, nodes + a * kLanes, fixed[a]);
  const bool all = simd::all(active);
  for (int l = 0; l < W; ++l) {
    if (!all && !simd::lane(active, l)) continue;
    for (int a = 0; a < N; ++a) {
      std::int64_t* target = sum + 3 * static_cast<std::size_t>(nodes[a * kLanes + l]);
      for (int i = 0; i < 3; ++i) target[i] -= fixed[a][i][l];
    }
  }
}

/// energy[l] += increment of every lane in `active`; energies are double in both precisions.
template <class V>
inline void add_energy(double* energy, V increment, simd::mask_t<V> active) {
  constexpr int W = simd::width_v<V>;
  const V counted = simd::select(active, increment, V(0));
  if constexpr (W >= 8) {
    using D = simd::Vec<double, 8>;
    for (int l = 0; l < W; l += 8)
      simd::store(energy + l, simd::load<D>(energy + l) + simd::widen(counted, l));
  } else {
    for (int l = 0; l < W; ++l) energy[l] += static_cast<double>(simd::lane(counted, l));
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
