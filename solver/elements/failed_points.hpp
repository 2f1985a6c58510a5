// Which elements are deleted because their points have failed.
//
// The law's own number counts all failed points, whatever the criterion: NUMINT in shells, all points in
// other elements. NUMFIP of *MAT_ADD_EROSION counts only points that failed by its criteria.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Whether enough points have failed by the criteria of *MAT_ADD_EROSION. Not inlined, so that it costs
/// nothing for laws without criteria.
template <class V>
[[gnu::noinline]] simd::mask_t<V> enough_eroded(const GroupParameters& group,
                                                const simd::scalar_t<V>* history, int stride) {
  const int flag = group.law.criteria;
  V n_eroded(0);
  for (int k = 0; k < group.n_points; ++k) n_eroded += simd::load<V>(history + (flag + k * stride) * kLanes);
  return n_eroded >= V(points_to_delete(group, group.eroded_points_to_delete));
}

/// Whether elements with `n_failed` failed points are deleted. The law's history of the first point is at
/// `history`, that of each next point `stride` variables further.
template <class V>
inline simd::mask_t<V> enough_failed(const GroupParameters& group, V n_failed,
                                     const simd::scalar_t<V>* history, int stride) {
  simd::mask_t<V> gone = n_failed >= V(points_to_delete(group, group.failed_points_to_delete));
  if (group.law.criteria >= 0) gone = gone || enough_eroded<V>(group, history, stride);
  return gone;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
