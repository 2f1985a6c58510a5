// Closest point of a contact segment (triangle or quadrilateral) to a node, in closed form.
//
// A quadrilateral is the fan of four triangles around its centre, the mean of its nodes. That is exact for
// flat segments, needs no iteration for warped ones, and makes the distance the true distance to a fixed
// surface spanned by the nodes: it changes by no more than the nodes move, which is what lets the search
// promise that a skipped pair cannot touch. The weights are positive, sum to one and reproduce the closest
// point from the nodes, so forces distributed by them balance in force and moment.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/types.hpp"

namespace crumple::contact {

/// Where a node stands to a segment.
struct ClosestPoint {
  std::array<double, 4> weight{};  ///< of the segment's nodes
  Vec3 offset;                     ///< from the closest point to the node
  Vec3 normal;                     ///< unit normal of the facet that holds it (node order, right hand)
  double distance2 = 0.0;
  bool face = false;   ///< inside the segment, not on its border
  bool facet = false;  ///< strictly inside one facet: offset is parallel to normal
};

/// Closest point of the triangle a, a + ab, a + ac to the point a + ap, as barycentric coordinates of the
/// three corners.
///
/// The plane is cut into Voronoi regions of corners, edges and face (Ericson 2005, Real-Time Collision
/// Detection, section 5.1.5). `region` is 0 for the face, 1, 2, 3 for the edges ab, bc, ca (4: a corner).
inline std::array<double, 3> closest_on_triangle(const Vec3& ab, const Vec3& ac, const Vec3& ap,
                                                 int& region) {
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  region = 4;
  if (d1 <= 0.0 && d2 <= 0.0) return {1.0, 0.0, 0.0};
  const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const double d3 = d1 - bb, d4 = d2 - bc;  // products with the vector from b
  if (d3 >= 0.0 && d4 <= d3) return {0.0, 1.0, 0.0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    region = 1;
    const double t = bb > 0.0 ? d1 / bb : 0.0;
    return {1.0 - t, t, 0.0};
  }
  const double d5 = d1 - bc, d6 = d2 - cc;  // products with the vector from c
  if (d6 >= 0.0 && d5 <= d6) return {0.0, 0.0, 1.0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    region = 3;
    const double t = cc > 0.0 ? d2 / cc : 0.0;
    return {1.0 - t, 0.0, t};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    region = 2;
    const double length = (d4 - d3) + (d5 - d6);
    const double t = length > 0.0 ? (d4 - d3) / length : 0.0;
    return {0.0, 1.0 - t, t};
  }
  const double sum = va + vb + vc;
  if (!(sum > 0.0)) return {1.0, 0.0, 0.0};  // no area: another facet of the segment holds the closest point
  region = 0;
  return {va / sum, vb / sum, vc / sum};
}

/// Directions of a segment's frame: its two mean lines u and v, and the normal of both. A quadrilateral
/// lies within +-warp of its mean plane.
struct SegmentFrame {
  Vec3 centre, u, v, warp, normal;

  SegmentFrame(const Vec3* x, int corners) {
    const Vec3& last = corners == 4 ? x[3] : x[2];
    centre = 0.25 * ((x[0] + x[1]) + (x[2] + last));
    u = (x[1] + x[2]) - (x[0] + last);
    v = (x[2] + last) - (x[0] + x[1]);
    warp = 0.25 * ((x[0] - x[1]) + (x[2] - last));
    normal = cross(u, v);
  }
};

/// True when p is farther than `reach` from a quadrilateral, by boxes around it: cheap, and never wrong,
/// but not always right when it is far.
///
/// Every point of the segment is centre + a u + b v + c warp with |a|, |b| <= 1/4 and |c| <= 1, and the
/// normal is at right angles to u and v, so distances along it and along one of them add up.
inline bool surely_beyond(const SegmentFrame& f, const Vec3& p, double reach) {
  const Vec3 w = p - f.centre;
  const double nn = dot(f.normal, f.normal);
  const double uu = dot(f.u, f.u), vv = dot(f.v, f.v), uv = 0.25 * std::abs(dot(f.u, f.v));
  const double h = std::max(0.0, std::abs(dot(w, f.normal)) - std::abs(dot(f.warp, f.normal)));
  const double r2 = reach * reach * (1.0 + 1e-12);
  if (h * h > r2 * nn) return true;
  const double left = nn > 0.0 ? r2 - h * h / nn : r2;
  const double a = std::max(0.0, std::abs(dot(w, f.u)) - 0.25 * uu - uv - std::abs(dot(f.warp, f.u)));
  const double b = std::max(0.0, std::abs(dot(w, f.v)) - 0.25 * vv - uv - std::abs(dot(f.warp, f.v)));
  return a * a > left * uu || b * b > left * vv;
}

namespace detail {

/// Closest point of facet k of the fan around `apex`; kept in `best` if it is nearer.
inline void try_facet(const Vec3* x, int corners, const Vec3& apex, int k, const Vec3& p,
                      ClosestPoint& best) {
  const bool quad = corners == 4;
  const int i = k, j = (k + 1) & 3;
  const Vec3 ab = x[j] - x[i], ac = apex - x[i], ap = p - x[i];
  int region = 0;
  const std::array<double, 3> b = closest_on_triangle(ab, ac, ap, region);
  const Vec3 offset = ap - (b[1] * ab + b[2] * ac);
  const double distance2 = dot(offset, offset);
  if (!(distance2 < best.distance2)) return;
  best.distance2 = distance2;
  best.offset = offset;
  best.normal = cross(ab, ac);
  best.facet = region == 0;
  const double share = quad ? 0.25 * b[2] : 0.0;
  best.weight = {share, share, share, share};
  best.weight[i] += b[0];
  best.weight[j] += b[1];
  if (!quad) best.weight[2] = b[2];
  best.face = quad ? b[2] > 0.0 : region == 0;
}

/// Facet over which p most likely is: by the larger of its coordinates along u and v.
inline int likely_facet(const SegmentFrame& f, const Vec3& p) {
  const Vec3 w = p - f.centre;
  const double a = dot(w, f.u), b = dot(w, f.v);
  if (std::abs(a) * dot(f.v, f.v) > std::abs(b) * dot(f.u, f.u)) return a > 0.0 ? 1 : 3;
  return b > 0.0 ? 2 : 0;
}

/// Whether no node lies nearer to p than the plane through the closest point at right angles to its offset:
/// then none of the surface does. A flat segment's nodes are in that plane but for rounding, so what 1e-10
/// of its size could gain is let go.
inline bool all_behind(const Vec3* x, const Vec3& p, const ClosestPoint& c) {
  const Vec3 point = p - c.offset, diagonal = x[2] - x[0];
  double most = 0.0;
  for (int k = 0; k < 4; ++k) most = std::max(most, dot(x[k] - point, c.offset));
  return most * most <= 1e-20 * dot(diagonal, diagonal) * c.distance2;
}

}  // namespace detail

/// Closest point of a segment of `corners` (3 or 4) nodes at x to p.
inline ClosestPoint closest_on_segment(const Vec3* x, int corners, const SegmentFrame& frame, const Vec3& p) {
  ClosestPoint best;
  best.distance2 = HUGE_VAL;
  const int first = corners == 4 ? detail::likely_facet(frame, p) : 0;
  const Vec3& apex = corners == 4 ? frame.centre : x[2];
  detail::try_facet(x, corners, apex, first, p, best);
  if (corners == 4 && !detail::all_behind(x, p, best))
    for (int k = 1; k < 4; ++k) detail::try_facet(x, corners, apex, (first + k) & 3, p, best);
  const double length = norm(best.normal);
  if (length > 0.0) best.normal *= 1.0 / length;
  return best;
}

inline ClosestPoint closest_on_segment(const Vec3* x, int corners, const Vec3& p) {
  return closest_on_segment(x, corners, SegmentFrame(x, corners), p);
}

/// Twice the area vector of a segment: the cross product of its diagonals.
inline Vec3 segment_normal(const Vec3* x, int corners) {
  return corners == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
}

}  // namespace crumple::contact
