// A curve that is constant beyond its ends.
#pragma once

#include "materials/plasticity/flow_curves.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Value and slope at x of the first curve of a set.
template <class V>
Line<V> bounded_curve(const FlowCurves& c, V x) {
  const V inside = simd::min(simd::max(x, V(c.first)), V(c.last));
  const Segment<V> segment = find_segment(c, inside);
  const Line<V> line = line_of(c, V(0), segment);
  return {line.value + line.slope * (inside - segment.begin), simd::select(inside == x, line.slope, V(0))};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
