// The nodal motion of W shells, and their nodal forces and energies.
#pragma once

#include <cstdint>

#include "elements/gather.hpp"
#include "elements/kernel.hpp"
#include "elements/scatter.hpp"
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
  gather_relative(a.x, nodes, m.x);
  gather_relative(a.v, nodes, m.v);
  for (int n = 0; n < N; ++n) gather_vectors(a.w, nodes + n * kLanes, m.w[n]);
}

/// Subtract internal forces and moments (global axes) of the lanes where `alive` is not 0.
template <class V, int N>
inline void scatter(const KernelArguments<scalar_t<V>>& a, const std::int32_t* nodes, V alive,
                    const V (&f)[N][3], const V (&m)[N][3]) {
  scatter_subtract(a.loads, nodes, f, m, alive != V(0));
}

/// Add increments of one of the energies to the sums of the lanes that live.
template <class V>
inline void add_energy(double* sum, V alive, V increment) {
  elements::add_energy(sum, increment, alive != V(0));
}

/// Write `value` in the lanes that live.
template <class V>
inline void store_alive(scalar_t<V>* to, V alive, V value) {
  simd::store(to, simd::select(alive != V(0), value, simd::load<V>(to)));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
