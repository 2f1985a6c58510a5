// Which elements go because of the points that have failed in them.
//
// The law's own number is of failed points, whatever failed them: NUMINT in shells, all elsewhere. NUMFIP of
// *MAT_ADD_EROSION is of those that its criteria have failed.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Whether the criteria of *MAT_ADD_EROSION have failed as many points as they must. Not inlined, so that
/// laws without criteria pay nothing for this.
template <class V>
[[gnu::noinline]] simd::mask_t<V> enough_eroded(const GroupParameters& group,
                                                const simd::scalar_t<V>* history, int stride) {
  const int flag = group.law.criteria;
  V n_eroded(0);
  for (int k = 0; k < group.n_points; ++k) n_eroded += simd::load<V>(history + (flag + k * stride) * kLanes);
  return n_eroded >= V(points_to_delete(group, group.eroded_points_to_delete));
}

/// Whether elements go of which `n_failed` points have failed. The law's history of the first point is at
/// `history`, that of the next `stride` variables on.
template <class V>
inline simd::mask_t<V> enough_failed(const GroupParameters& group, V n_failed,
                                     const simd::scalar_t<V>* history, int stride) {
  simd::mask_t<V> gone = n_failed >= V(points_to_delete(group, group.failed_points_to_delete));
  if (group.law.criteria >= 0) gone = gone || enough_eroded<V>(group, history, stride);
  return gone;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
