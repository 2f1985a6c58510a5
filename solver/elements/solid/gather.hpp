// The nodal motion of W elements, as solids and beams want it.
//
// Positions and velocities are relative to the element's first node: uniform gradients and hourglass vectors
// are orthogonal to translations, so nothing is missed.
#pragma once

#include "elements/gather.hpp"
#include "elements/kernel.hpp"
#include "elements/scatter.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Positions and velocities of N nodes relative to the first one, [node][direction].
template <class V, int N>
struct NodalMotion {
  V x[N][3], v[N][3];
};

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

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
