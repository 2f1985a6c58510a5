// Closest points of two line segments, with their parameters, in closed form.
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace crumple::contact {

/// Points p + s (q - p) on one line and p' + t (q' - p') on the other.
struct ClosestLines {
  double s = 0.0, t = 0.0;
};

inline double clamp01(double a) { return std::min(std::max(a, 0.0), 1.0); }

/// Parameter of the point nearest to c on the line p, q.
inline double closest_on_line(const Vec3& p, const Vec3& q, const Vec3& c) {
  const Vec3 e = q - p;
  const double length2 = dot(e, e);
  return length2 > 0.0 ? clamp01(dot(c - p, e) / length2) : 0.0;
}

/// The two points of least distance (Ericson 2005, Real-Time Collision Detection, section 5.1.9). If the
/// lines are parallel, any such pair.
inline ClosestLines closest_lines(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  if (!(a > 0.0)) return {0.0, closest_on_line(p2, q2, p1)};
  if (!(e > 0.0)) return {closest_on_line(p1, q1, p2), 0.0};
  const double b = dot(d1, d2), c = dot(d1, r);
  const double det = a * e - b * b;
  double s = det > 0.0 ? clamp01((b * f - c * e) / det) : 0.0;
  double t = (b * s + f) / e;
  if (t < 0.0) {
    t = 0.0;
    s = clamp01(-c / a);
  } else if (t > 1.0) {
    t = 1.0;
    s = clamp01((b - c) / a);
  }
  return {s, t};
}

}  // namespace crumple::contact
