// How far a point may move relative to a one-sided segment before it can be inside.
//
// A point is inside at its closest point c of a facet with unit normal n only if (p - c) . n < -|p - c| / 2:
// in a facet -|p - c|, on the segment's border by the rule of touching.cpp (-0.7 |p - c|), and between two
// facets at most -|p - c| times the cosine of their angle, here at least 1/2. (At the apex, the mean of the
// nodes, the offset is normal to all four facets.)
//
// If no two of the points p, nodes and apex move by more than d relative to each other, the unnormalised
// normal N = e1 x e2 of a facet changes by at most k |N|, k = d (|e1| + |e2| + d) / |N|, and p - c by at most
// d. So p can be inside at a point c only if now
//
//   (p - c) . n + (1/2 - 3/2 k) |p - c| <= 3/2 d (1 + k).
//
// (p - c) . n is the height h above the facet's plane for every c of it, and |p - c| is at least the
// distance. With k <= 0.1 each normal turns by less than 0.2, so that normals whose product is 0.9 now keep
// one of 1/2.
#pragma once

#include "contact/geometry/closest_point.hpp"

namespace crumple::contact {
inline namespace CRUMPLE_ISA {

/// A bound of d for one facet with the corner a and its edges from there.
template <class V>
V room_at_facet(const Vector3<V>& e1, const Vector3<V>& e2, const Vector3<V>& normal, V area,
                const Vector3<V>& from_corner, V distance) {
  const V one = simd::sqrt(dot(e1, e1)), two = simd::sqrt(dot(e2, e2));
  const V growth = V(1.03) * (one + two) / area;  // k / d; with k <= 0.1 d is less than 0.03 (|e1| + |e2|)
  const V height = dot(from_corner, normal);
  const V room = (height + V(0.5) * distance) / (V(1.65) + V(1.5) * growth * distance);
  return simd::select(area > V(1e-3) * one * two, simd::min(room, V(0.1) / growth), V(0.0));
}

/// Lower bound of the motion until p can be inside; not positive if it may be inside now.
template <class V>
V room_outside(const SegmentNodes<V>& s, const Vector3<V>& apex, const Vector3<V>& p, V distance) {
  V room = V(0.5) * distance;  // beyond that the bounds of rounding are not certain
  Vector3<V> normal[4];
  for (int k = 0; k < 4; ++k) {
    const Vector3<V> e1 = s.x[(k + 1) % 4] - s.x[k], e2 = apex - s.x[k], n = cross(e1, e2);
    const V area = simd::sqrt(dot(n, n));
    normal[k] = (V(1.0) / area) * n;
    const V here = room_at_facet(e1, e2, normal[k], area, p - s.x[k], distance);
    // A triangle has the first facet only.
    room = k == 0 ? simd::min(room, here) : simd::select(s.quad, simd::min(room, here), room);
  }
  simd::mask_t<V> flat = !s.quad;
  V least(1.0);
  for (int k = 0; k < 4; ++k) {
    const V product = dot(normal[k], normal[(k + 1) % 4]);
    least = simd::select(product > V(0.9), least, V(0.0));
  }
  flat = flat || least > V(0.5);
  return simd::select(flat, room, V(0.0));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact
