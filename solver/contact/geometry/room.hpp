// How far a point may move relative to a one-sided segment before it can be inside.
//
// A point is inside at its closest point c of a facet with unit normal n only if (p - c) . n < -b |p - c|:
// with b = 1 in a facet, 0.7 on the segment's border by the rule of touching.cpp, and between two facets the
// cosine of their angle. (At the apex, the mean of the nodes, the offset is normal to all four facets.)
//
// If no two of the points p, nodes and apex move by more than d relative to each other, the unnormalised
// normal N = e1 x e2 of a facet changes by at most k |N|, k = d (|e1| + |e2| + d) / |N|, and p - c by at most
// d. So p can be inside at a point c only if now
//
//   (p - c) . n + (b - (1 + b) k) |p - c| <= (1 + b) d (1 + k).
//
// (p - c) . n is the height h above the facet's plane for every c of it, and |p - c| is at least the
// distance. Each normal turns by less than 2 k, so the product of two decreases by at most 4 k: with k <= 0.1
// those whose product is 0.9 now keep b = 0.5, and with k <= 0.07 those of a nearly flat segment, 0.98, b =
// 0.7.
#pragma once

#include "contact/geometry/closest_point.hpp"

namespace crumple::contact {
inline namespace CRUMPLE_ISA {

/// b, the least product of normals and the largest k, as above.
struct InsideRule {
  double b, product, k;
};
inline constexpr InsideRule kBent{0.5, 0.9, 0.1}, kFlat{0.7, 0.98, 0.07};

/// The height of a point over a facet's plane, and k / d.
template <class V>
struct OverFacet {
  Vector3<V> normal;
  V height, growth;
  simd::mask_t<V> has_area;

  OverFacet(const Vector3<V>& e1, const Vector3<V>& e2, const Vector3<V>& from_corner) {
    const Vector3<V> n = cross(e1, e2);
    const V area = simd::sqrt(dot(n, n)), one = simd::sqrt(dot(e1, e1)), two = simd::sqrt(dot(e2, e2));
    normal = (V(1.0) / area) * n;
    height = dot(from_corner, normal);
    growth = V(1.03) * (one + two) / area;  // with k <= 0.1 d is less than 0.03 (|e1| + |e2|)
    has_area = area > V(1e-3) * one * two;
  }
  V room(const InsideRule& rule, V distance) const {
    const V b(rule.b), more(1.0 + rule.b), k(rule.k);
    const V bound = (height + b * distance) / (more * (V(1.0) + k) + more * growth * distance);
    return simd::select(has_area, simd::min(bound, k / growth), V(0.0));
  }
};

/// Whether a triangle has an area. The closest point of one without (closest_on_triangle) may jump.
template <class V>
simd::mask_t<V> has_area(const SegmentNodes<V>& s) {
  return OverFacet<V>(s.x[1] - s.x[0], s.x[2] - s.x[0], s.x[1] - s.x[0]).has_area;
}

/// Lower bound of the motion until p can be inside; not positive if it may be inside now.
template <class V>
V room_outside(const SegmentNodes<V>& s, const Vector3<V>& apex, const Vector3<V>& p, V distance) {
  const auto facet = [&](int k) {
    return OverFacet<V>(s.x[(k + 1) % 4] - s.x[k], apex - s.x[k], p - s.x[k]);
  };
  const OverFacet<V> first = facet(0);
  V bent = first.room(kBent, distance), flat = first.room(kFlat, distance), product(1.0);
  Vector3<V> before = first.normal;
  for (int k = 1; k < 4; ++k) {  // a triangle has the first facet only
    const OverFacet<V> other = facet(k);
    bent = simd::select(s.quad, simd::min(bent, other.room(kBent, distance)), bent);
    flat = simd::select(s.quad, simd::min(flat, other.room(kFlat, distance)), flat);
    product = simd::select(s.quad, simd::min(product, dot(before, other.normal)), product);
    before = other.normal;
  }
  product = simd::select(s.quad, simd::min(product, dot(before, first.normal)), product);
  const V none(0.0);
  bent = simd::select(product > V(kBent.product), bent, none);
  flat = simd::select(product > V(kFlat.product), flat, none);
  // At most half of the distance: beyond that rounding is not certain.
  return simd::min(simd::max(bent, flat), V(0.5) * distance);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact
