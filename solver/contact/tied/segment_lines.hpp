// A point relative to a segment: the segment's mean lines and normal, and forces on its corners from a force
// there.
//
// How springs use it, and what it conserves, is in tie_springs.hpp.
#pragma once

#include <array>
#include <cmath>

#include "base/types.hpp"

namespace crumple::contact {

/// The mean lines of a segment, and each node's coefficients in them.
struct SegmentLines {
  static constexpr double kQuad[2][4] = {{-0.5, 0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5, 0.5}};
  static constexpr double kTriangle[2][4] = {{-1.0, 1.0, 0.0, 0.0}, {-1.0, 0.0, 1.0, 0.0}};

  SegmentLines(const std::array<Vec3, 4>& x, int corners) : of(corners == 4 ? kQuad : kTriangle) {
    for (int a = 0; a < corners; ++a) {
      g[0] += of[0][a] * x[a];
      g[1] += of[1][a] * x[a];
    }
    normal = cross(g[0], g[1]);
    area = norm(normal);
    if (area > 0.0) normal *= 1.0 / area;
  }

  const double (*of)[4];
  Vec3 g[2];
  Vec3 normal;
  double area = 0.0;
};

/// A vector as sum of the mean lines and the normal.
struct LineCoordinates {
  LineCoordinates(const SegmentLines& lines, const Vec3& v) : of(lines.of), height(dot(v, lines.normal)) {
    const Vec3 flat = v - height * lines.normal;
    const double aa = dot(lines.g[0], lines.g[0]), ab = dot(lines.g[0], lines.g[1]),
                 bb = dot(lines.g[1], lines.g[1]);
    const double a = dot(flat, lines.g[0]), b = dot(flat, lines.g[1]), det = aa * bb - ab * ab;
    if (!(det > 0.0)) return;
    along = {(a * bb - b * ab) / det, (b * aa - a * ab) / det};
  }
  /// The coefficient of corner `k`.
  double operator[](int k) const { return along[0] * of[0][k] + along[1] * of[1][k]; }

  const double (*of)[4];
  double height;
  std::array<double, 2> along{};
};

/// What a force on the point sum w_a x_a + h n does to the corners.
inline std::array<Vec3, 4> on_corners(const SegmentLines& lines, const std::array<double, 4>& weight,
                                      double height, const Vec3& f) {
  const double over_area = lines.area > 0.0 ? height / lines.area : 0.0;
  const Vec3 q = over_area * (f - dot(f, lines.normal) * lines.normal);
  const Vec3 first = cross(lines.g[1], q), second = cross(q, lines.g[0]);
  std::array<Vec3, 4> all;
  for (int a = 0; a < 4; ++a) all[a] = weight[a] * f + lines.of[0][a] * first + lines.of[1][a] * second;
  return all;
}

/// Bounds of the forces on the corners from a unit force there; the part from the height is along the normal.
inline std::array<double, 4> reach_of_force(const SegmentLines& lines, const std::array<double, 4>& weight,
                                            int corners, double height) {
  const double of_height = lines.area > 0.0 ? std::abs(height) / lines.area : 0.0;
  std::array<double, 4> reach{};
  for (int a = 0; a < corners; ++a) {
    const double along = of_height * (std::abs(lines.of[0][a]) * norm(lines.g[1]) +
                                      std::abs(lines.of[1][a]) * norm(lines.g[0]));
    reach[a] = std::hypot(weight[a], along);
  }
  return reach;
}

/// r rotated by the Cayley vector theta.
inline Vec3 turned_by(const Vec3& r, const Vec3& theta) {
  const Vec3 once = cross(theta, r);
  return r + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
}

}  // namespace crumple::contact
