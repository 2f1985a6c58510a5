// Closest point of a contact segment (triangle or quadrilateral) to a node, in closed form.
//
// A quadrilateral is the fan of four triangles around its centre, the mean of its nodes. That is exact for
// flat segments, needs no iteration for warped ones, and makes the distance the true distance to a fixed
// surface spanned by the nodes: it changes by no more than the nodes move, so the search can guarantee that a
// skipped pair cannot touch. The weights are positive, sum to one and reproduce the closest point from the
// nodes, so forces distributed by them balance in force and moment.
//
// V is a number, or a vector of numbers with a pair in each lane (closest_kernel.cpp). A lane has the same
// bits as a number, whatever the other lanes hold. So nothing here may become a fused multiply-add
// (CMakeLists.txt).
#pragma once

#include <array>
#include <cmath>

#include "base/types.hpp"
#include "simd/vec.hpp"

namespace crumple::contact {

/// Position of a node relative to a segment.
struct ClosestPoint {
  std::array<double, 4> weight{};  ///< of the segment's nodes
  Vec3 offset;                     ///< from the closest point to the node
  Vec3 normal;                     ///< unit normal of the facet with the closest point (node order)
  double distance2 = 0.0;
  bool face = false;   ///< inside the segment, not on its border
  bool facet = false;  ///< strictly inside one facet: offset is parallel to normal
};

inline namespace CRUMPLE_ISA {

template <class V>
struct Vector3 {
  V x, y, z;

  friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector3 operator*(V s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class V>
V dot(const Vector3<V>& a, const Vector3<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class V>
Vector3<V> cross(const Vector3<V>& a, const Vector3<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class V>
Vector3<V> select(simd::mask_t<V> m, const Vector3<V>& a, const Vector3<V>& b) {
  return {simd::select(m, a.x, b.x), simd::select(m, a.y, b.y), simd::select(m, a.z, b.z)};
}

/// The nodes of a segment; the last two of a triangle are the same.
template <class V>
struct SegmentNodes {
  Vector3<V> x[4];
  simd::mask_t<V> quad;
};

/// Barycentric coordinates of the three corners.
template <class V>
struct Barycentric {
  V a, b, c;
  simd::mask_t<V> inside;  ///< the face, not its border
};

/// Closest point of the triangle a, a + ab, a + ac to the point a + ap.
///
/// The plane is divided into Voronoi regions of corners, edges and face (Ericson 2005, Real-Time Collision
/// Detection, section 5.1.5); the first that contains the point counts. If a triangle without area has the
/// point on its face, the result is its first corner: another facet of the segment has the closest point.
template <class V>
Barycentric<V> closest_on_triangle(const Vector3<V>& ab, const Vector3<V>& ac, const Vector3<V>& ap) {
  using M = simd::mask_t<V>;
  const V zero(0.0), one(1.0);
  const V bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const V d1 = dot(ab, ap), d2 = dot(ac, ap);
  const V d3 = d1 - bb, d4 = d2 - bc;  // products with the vector from b
  const V d5 = d1 - bc, d6 = d2 - cc;  // and from c
  const V va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  const M at_a = d1 <= zero && d2 <= zero, at_b = d3 >= zero && d4 <= d3, at_c = d6 >= zero && d5 <= d6;
  const M on_ab = vc <= zero && d1 >= zero && d3 <= zero;
  const M on_ac = vb <= zero && d2 >= zero && d6 <= zero;
  const M on_bc = va <= zero && d4 - d3 >= zero && d5 - d6 >= zero;

  const V length = (d4 - d3) + (d5 - d6), sum = va + vb + vc;
  const V part = simd::select(on_ab, d1, simd::select(on_ac, d2, d4 - d3));
  const V whole = simd::select(on_ab, bb, simd::select(on_ac, cc, length));
  // One division gives the position on an edge, or on the face the second coordinate.
  const M on_edge = on_ab || on_ac || on_bc;
  const V ratio = simd::select(on_edge, part, vb) / simd::select(on_edge, whole, sum);
  const V t = simd::select(whole > zero, ratio, zero), s = one - t;  // position on an edge

  const M has_area = sum > zero;
  Barycentric<V> p{simd::select(has_area, va / sum, one), simd::select(has_area, ratio, zero),
                   simd::select(has_area, vc / sum, zero), has_area};
  const auto take = [&p](M region, V a, V b, V c) {
    p.a = simd::select(region, a, p.a);
    p.b = simd::select(region, b, p.b);
    p.c = simd::select(region, c, p.c);
    p.inside = p.inside && !region;
  };
  take(on_bc, zero, s, t);
  take(on_ac, s, zero, t);
  take(at_c, zero, zero, one);
  take(on_ab, s, t, zero);
  take(at_b, zero, one, zero);
  take(at_a, one, zero, zero);
  return p;
}

/// Directions of a segment's frame: its two mean lines u and v, and the normal of both. A quadrilateral
/// lies within +-warp of its mean plane.
template <class V>
struct SegmentFrame {
  Vector3<V> centre, u, v, warp, normal;

  explicit SegmentFrame(const SegmentNodes<V>& segment) {
    const Vector3<V>* x = segment.x;
    const V quarter(0.25);
    centre = quarter * ((x[0] + x[1]) + (x[2] + x[3]));
    u = (x[1] + x[2]) - (x[0] + x[3]);
    v = (x[2] + x[3]) - (x[0] + x[1]);
    warp = quarter * ((x[0] - x[1]) + (x[2] - x[3]));
    normal = cross(u, v);
  }
};

/// Whether p is farther than `reach` from a segment, tested with boxes around the segment. This is cheap and
/// conservative: true is always right, but it may be false for a far point.
///
/// Every point of the segment is centre + a u + b v + c warp with |a|, |b| <= 1/4 and |c| <= 1, and the
/// normal is orthogonal to u and v, so squared distances along it and along one of them can be added.
template <class V>
simd::mask_t<V> surely_beyond(const SegmentFrame<V>& f, const Vector3<V>& p, V reach) {
  const V zero(0.0), quarter(0.25);
  const Vector3<V> w = p - f.centre;
  const V nn = dot(f.normal, f.normal);
  const V uu = dot(f.u, f.u), vv = dot(f.v, f.v), uv = quarter * simd::abs(dot(f.u, f.v));
  const V h = simd::max(zero, simd::abs(dot(w, f.normal)) - simd::abs(dot(f.warp, f.normal)));
  const V r2 = reach * reach * V(1.0 + 1e-12);
  const V left = simd::select(nn > zero, r2 - h * h / nn, r2);
  const V a = simd::max(zero, simd::abs(dot(w, f.u)) - quarter * uu - uv - simd::abs(dot(f.warp, f.u)));
  const V b = simd::max(zero, simd::abs(dot(w, f.v)) - quarter * vv - uv - simd::abs(dot(f.warp, f.v)));
  return h * h > r2 * nn || a * a > left * uu || b * b > left * vv;
}

/// The nearest of the facets that were tested.
template <class V>
struct NearestFacet {
  V distance2{HUGE_VAL};
  V first{0.0};  ///< its first corner
  Barycentric<V> at{};
  Vector3<V> offset{}, normal{};  ///< normal of any length
};

/// The corner after k (0 to 3).
template <class V>
V next_corner(V k) {
  return simd::select(k == V(3.0), V(0.0), k + V(1.0));
}

template <class V>
Vector3<V> corner(const SegmentNodes<V>& s, V k) {
  return select<V>(k == V(0.0), s.x[0],
                   select<V>(k == V(1.0), s.x[1], select<V>(k == V(2.0), s.x[2], s.x[3])));
}

/// Test facet k of the fan around `apex` in the lanes of `which`.
template <class V>
void try_facet(const SegmentNodes<V>& s, const Vector3<V>& apex, V k, const Vector3<V>& p,
               simd::mask_t<V> which, NearestFacet<V>& best) {
  const Vector3<V> a = corner(s, k);
  const Vector3<V> ab = corner(s, next_corner(k)) - a, ac = apex - a, ap = p - a;
  const Barycentric<V> at = closest_on_triangle(ab, ac, ap);
  const Vector3<V> offset = ap - (at.b * ab + at.c * ac);
  const V distance2 = dot(offset, offset);
  const simd::mask_t<V> nearer = which && distance2 < best.distance2;
  best.distance2 = simd::select(nearer, distance2, best.distance2);
  best.first = simd::select(nearer, k, best.first);
  best.at.a = simd::select(nearer, at.a, best.at.a);
  best.at.b = simd::select(nearer, at.b, best.at.b);
  best.at.c = simd::select(nearer, at.c, best.at.c);
  best.at.inside = (nearer && at.inside) || (!nearer && best.at.inside);
  best.offset = select<V>(nearer, offset, best.offset);
  best.normal = select<V>(nearer, cross(ab, ac), best.normal);
}

/// The facet that most likely has the closest point: by the larger of p's coordinates along u and v.
template <class V>
V likely_facet(const SegmentFrame<V>& f, const Vector3<V>& p) {
  const V zero(0.0);
  const Vector3<V> w = p - f.centre;
  const V a = dot(w, f.u), b = dot(w, f.v);
  const V along_u = simd::select(a > zero, V(1.0), V(3.0)), along_v = simd::select(b > zero, V(2.0), zero);
  return simd::select(simd::abs(a) * dot(f.v, f.v) > simd::abs(b) * dot(f.u, f.u), along_u, along_v);
}

/// Whether no node is nearer to p than the plane through the closest point normal to its offset. Then no
/// point of the surface is nearer. The nodes of a flat segment are in that plane except for rounding, so
/// differences up to 1e-10 of its size are ignored.
template <class V>
simd::mask_t<V> all_behind(const SegmentNodes<V>& s, const Vector3<V>& p, const NearestFacet<V>& c) {
  const Vector3<V> point = p - c.offset, diagonal = s.x[2] - s.x[0];
  V most(0.0);
  for (const Vector3<V>& x : s.x) most = simd::max(most, dot(x - point, c.offset));
  return most * most <= V(1e-20) * dot(diagonal, diagonal) * c.distance2;
}

template <class V>
NearestFacet<V> nearest_facet(const SegmentNodes<V>& s, const SegmentFrame<V>& frame, const Vector3<V>& p) {
  using M = simd::mask_t<V>;
  const Vector3<V> apex = select<V>(s.quad, frame.centre, s.x[2]);
  V k = simd::select(s.quad, likely_facet(frame, p), V(0.0));
  NearestFacet<V> best;
  try_facet(s, apex, k, p, V(0.0) == V(0.0), best);
  const M others = s.quad && !all_behind(s, p, best);
  for (int i = 1; i < 4 && simd::any(others); ++i) {
    k = next_corner(k);
    try_facet(s, apex, k, p, others, best);
  }
  return best;
}

/// A ClosestPoint by lanes.
template <class V>
struct ClosestPoints {
  V weight[4];
  Vector3<V> offset, normal;
  V distance2;
  simd::mask_t<V> face, facet;
};

template <class V>
ClosestPoints<V> closest_on_segment(const SegmentNodes<V>& s, const SegmentFrame<V>& frame,
                                    const Vector3<V>& p) {
  const V zero(0.0);
  const NearestFacet<V> best = nearest_facet(s, frame, p);
  const simd::mask_t<V> inner = best.at.c > zero;
  ClosestPoints<V> c{{},
                     best.offset,
                     best.normal,
                     best.distance2,
                     (s.quad && inner) || (!s.quad && best.at.inside),
                     best.at.inside};
  const V share = simd::select(s.quad, V(0.25) * best.at.c, zero);  // weight of the centre
  const V first = share + best.at.a, second = share + best.at.b, after = next_corner(best.first);
  for (int i = 0; i < 4; ++i) {
    const V here(static_cast<double>(i));
    c.weight[i] = simd::select(best.first == here, first, simd::select(after == here, second, share));
  }
  c.weight[2] = simd::select(s.quad, c.weight[2], best.at.c);
  const V length = simd::sqrt(dot(c.normal, c.normal));
  c.normal = select<V>(length > zero, (V(1.0) / length) * c.normal, c.normal);
  return c;
}

/// The same in all lanes.
template <class V>
Vector3<V> vector_of(const Vec3& a) {
  return {V(a.x), V(a.y), V(a.z)};
}

/// Nodes of a segment of `corners` (3 or 4), the same in all lanes.
template <class V>
SegmentNodes<V> nodes_of(const Vec3* x, int corners) {
  return {{vector_of<V>(x[0]), vector_of<V>(x[1]), vector_of<V>(x[2]), vector_of<V>(x[corners - 1])},
          V(static_cast<double>(corners)) == V(4.0)};
}

/// The closest point of one lane.
template <class V>
ClosestPoint point_of(const ClosestPoints<V>& c, int l) {
  const auto of = [l](const Vector3<V>& a) {
    return Vec3{simd::lane(a.x, l), simd::lane(a.y, l), simd::lane(a.z, l)};
  };
  return {{simd::lane(c.weight[0], l), simd::lane(c.weight[1], l), simd::lane(c.weight[2], l),
           simd::lane(c.weight[3], l)},
          of(c.offset),
          of(c.normal),
          simd::lane(c.distance2, l),
          simd::lane(c.face, l),
          simd::lane(c.facet, l)};
}

/// Closest point of a segment of `corners` (3 or 4) nodes at x to p.
inline ClosestPoint closest_on_segment(const Vec3* x, int corners, const Vec3& p) {
  const SegmentNodes<double> nodes = nodes_of<double>(x, corners);
  return point_of(closest_on_segment(nodes, SegmentFrame<double>(nodes), vector_of<double>(p)), 0);
}

}  // namespace CRUMPLE_ISA

/// Twice the area vector of a segment: the cross product of its diagonals.
inline Vec3 segment_normal(const Vec3* x, int corners) {
  return corners == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
}

}  // namespace crumple::contact
