// The normal of a surface on the borders of its segments, for the sign of a distance.
//
// If the closest point of a surface is on an edge or at a corner, no single face gives the side: outside an
// edge of less than 90 degrees a point is behind one of its two faces. The sum of the faces' normals, each
// times the angle of the face at the corner (pi at an edge, so a plain sum), gives it exactly for any closed
// surface (Baerentzen & Aanaes 2005, Signed distance computation using the angle weighted pseudonormal, IEEE
// TVCG 11(3), theorem 1).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/types.hpp"

namespace crumple::contact {

namespace detail {

inline Vec3 unit(const Vec3& a) {
  const double length = norm(a);
  return length > 0.0 ? (1.0 / length) * a : a;
}

/// Unit normal of the facet a, b, c times its angle at a.
inline Vec3 angle_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 area = cross(b - a, c - a);
  return std::atan2(norm(area), dot(b - a, c - a)) * unit(area);
}

/// The apex of a quadrilateral's fan of facets; for a triangle the corner opposite to the edge.
inline Vec3 fan_apex(const Vec3* x, int corners, int edge) {
  return corners == 4 ? 0.25 * ((x[0] + x[1]) + (x[2] + x[3])) : x[(edge + 2) % 3];
}

}  // namespace detail

namespace detail {

/// The angle of (x, y), y >= 0, within 1e-5 (Hastings 1955, Approximations for digital computers, sheet 11).
inline double rough_angle(double y, double x) {
  const double wide = std::abs(x), larger = std::max(y, wide);
  if (!(larger > 0.0)) return 0.0;
  const double t = std::min(y, wide) / larger, t2 = t * t;
  double angle = t * (0.9998660 + t2 * (-0.3302995 + t2 * (0.1801410 + t2 * (-0.0851330 + t2 * 0.0208351))));
  if (y > wide) angle = 0.5 * std::numbers::pi - angle;
  return x < 0.0 ? std::numbers::pi - angle : angle;
}

}  // namespace detail

/// On which sides of the facets around a border a point is.
///
/// If it is on one side of all of them, that is the side of the normal, whatever its angles and lengths are.
/// A point so near to a facet's plane that rounding may decide counts as on both. Else rough angles mostly
/// decide.
class FacetSides {
 public:
  /// The facets of a segment on its edge from corner k to the next.
  void add_edge(const Vec3* x, int corners, int k, const Vec3& offset) {
    const Vec3& a = x[k];
    add(cross(x[(k + 1) % corners] - a, detail::fan_apex(x, corners, k) - a), offset,
        [](double) { return 1.0; });
  }
  /// The facets of a segment at its corner k.
  void add_corner(const Vec3* x, int corners, int k, const Vec3& offset) {
    const Vec3 next = x[(k + 1) % corners] - x[k], previous = x[(k + corners - 1) % corners] - x[k];
    if (corners == 3) return add_between(next, previous, offset);
    const Vec3 apex = detail::fan_apex(x, corners, k) - x[k];
    add_between(next, apex, offset);
    add_between(apex, previous, offset);
  }
  /// Whether the point is surely on the side of the normal (1) or on the other (-1); 0 if angles to the last
  /// digit decide.
  int side() const {
    if (!front_ || !behind_) return behind_ ? -1 : 1;
    if (!(std::abs(sum_) > kSureOfAngles * size_ && sum_ * sum_ > kSure * kSure * offset2_)) return 0;
    return sum_ < 0.0 ? -1 : 1;
  }

 private:
  static constexpr double kSure = 1e-9;          ///< of a cosine; the sum of normals has errors of some 1e-15
  static constexpr double kSureOfAngles = 1e-4;  ///< ten times the error of rough angles

  /// The facet of a corner between two directions.
  void add_between(const Vec3& b, const Vec3& c, const Vec3& offset) {
    add(cross(b, c), offset, [&](double size) { return detail::rough_angle(size, dot(b, c)); });
  }
  /// @param area normal of a facet, of any length; one without area is no part of the normal
  /// @param offset from the border to the point
  /// @param weight of the facet in the sum of normals, from the area's length
  template <class Weight>
  void add(const Vec3& area, const Vec3& offset, Weight weight) {
    const double size2 = dot(area, area), height = dot(area, offset);
    if (!(size2 > 0.0)) return;
    offset2_ = dot(offset, offset);
    const bool near = !(height * height > kSure * kSure * size2 * offset2_);
    front_ = front_ || near || height > 0.0;
    behind_ = behind_ || near || height < 0.0;
    const double size = std::sqrt(size2), unit_height = height / size;
    sum_ += weight(size) * unit_height;
    size_ += std::abs(unit_height);
  }

  bool front_ = false, behind_ = false;
  double sum_ = 0.0, size_ = 0.0;  ///< of the heights, with weights; of their sizes
  double offset2_ = 0.0;
};

/// A segment's part of the normal on its edge from corner k to the next.
inline Vec3 edge_normal(const Vec3* x, int corners, int k) {
  const Vec3 &a = x[k], &b = x[(k + 1) % corners];
  return detail::unit(cross(b - a, detail::fan_apex(x, corners, k) - a));
}

/// A segment's part of the normal at its corner k; with four corners from both facets at it.
inline Vec3 corner_normal(const Vec3* x, int corners, int k) {
  const Vec3 &next = x[(k + 1) % corners], &previous = x[(k + corners - 1) % corners];
  if (corners == 3) return detail::angle_normal(x[k], next, previous);
  const Vec3 apex = detail::fan_apex(x, corners, k);
  return detail::angle_normal(x[k], next, apex) + detail::angle_normal(x[k], apex, previous);
}

}  // namespace crumple::contact
