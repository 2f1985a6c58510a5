// Which elements are deleted because their points have failed.
//
// The law's own number counts all failed points, whatever the criterion: NUMINT in shells, all points in
// other elements. NUMFIP of *MAT_ADD_EROSION counts only points that failed by its criteria, that of a damage
// model those that failed by the damage, or, as a percentage, layers of which a point did.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Points that the criteria or the damage model of a law have failed, whose flag is the history variable
/// `flag`; of `parts` equal rows of points with the same remainder, those with a failed point.
template <class V>
V count_flags(const GroupParameters& group, int flag, int parts, const simd::scalar_t<V>* history,
              int stride) {
  V count(0);
  for (int part = 0; part < parts; ++part) {
    V any(0);
    for (int k = part; k < group.n_points; k += parts)
      any = simd::max(any, simd::load<V>(history + (flag + k * stride) * kLanes));
    count += any;
  }
  return count;
}

/// Whether enough points have failed by the criteria of *MAT_ADD_EROSION or by a damage model. Not inlined,
/// so that it costs nothing for laws without these.
template <class V>
[[gnu::noinline]] simd::mask_t<V> enough_eroded(const GroupParameters& group,
                                                const simd::scalar_t<V>* history, int stride) {
  simd::mask_t<V> gone = V(0) > V(0);
  const int all = group.n_points;
  if (group.law.criteria >= 0)
    gone = count_flags<V>(group, group.law.criteria, all, history, stride) >=
           V(points_to_delete(all, group.eroded_points_to_delete));
  if (group.law.damage >= 0) {
    const int parts = group.damaged_layers ? static_cast<int>(group.layers.size()) : all;
    gone = gone || count_flags<V>(group, group.law.damage, parts, history, stride) >=
                       V(points_to_delete(parts, group.damaged_points_to_delete));
  }
  return gone;
}

/// Whether elements with `n_failed` failed points are deleted. The law's history of the first point is at
/// `history`, that of each next point `stride` variables further.
template <class V>
inline simd::mask_t<V> enough_failed(const GroupParameters& group, V n_failed,
                                     const simd::scalar_t<V>* history, int stride) {
  simd::mask_t<V> gone = n_failed >= V(points_to_delete(group.n_points, group.failed_points_to_delete));
  if (group.law.criteria >= 0 || group.law.damage >= 0)
    gone = gone || enough_eroded<V>(group, history, stride);
  return gone;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
