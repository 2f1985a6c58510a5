// What becomes of a point that a criterion added to its law has failed.
#pragma once

#include "simd/vec.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Sets a failed point: no stress, and the plastic strain at failure.
template <class V, class Point>
void fail(simd::mask_t<V> before, simd::mask_t<V> now, V plastic_before, Point& point) {
  point.plastic_strain = simd::select(before, plastic_before, point.plastic_strain);
  for (V& s : point.s) s = simd::select(now, V(0), s);
  point.failed = point.failed || now;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
