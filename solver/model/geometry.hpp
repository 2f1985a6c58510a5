// Areas, centres and lengths of element shapes.
#pragma once

#include <algorithm>
#include <array>

#include "base/types.hpp"

namespace crumple::model {

struct QuadShape {
  double area = 0;
  Vec3 centre;
  double longest_side = 0;
};

/// A quadrilateral or, with its last node repeated, a triangle. The area is half the cross product of the
/// diagonals, as for shells; for a warped one it is that of its projection.
inline QuadShape quad_shape(const std::array<Vec3, 4>& x) {
  QuadShape q;
  q.area = 0.5 * norm(cross(x[2] - x[0], x[3] - x[1]));
  const double a = norm(cross(x[1] - x[0], x[2] - x[0])), b = norm(cross(x[2] - x[0], x[3] - x[0]));
  const double third = 1.0 / 3.0;
  if (a + b > 0.0) q.centre = (third / (a + b)) * (a * (x[0] + x[1] + x[2]) + b * (x[0] + x[2] + x[3]));
  for (std::size_t k = 0; k < 4; ++k) q.longest_side = std::max(q.longest_side, norm(x[(k + 1) % 4] - x[k]));
  return q;
}

/// Largest face of a solid of 8 nodes.
inline double largest_face(const std::array<Vec3, 8>& x) {
  constexpr std::array<std::array<std::size_t, 4>, 6> faces{
      {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  double largest = 0.0;
  for (const auto& f : faces)
    largest = std::max(largest, quad_shape({x[f[0]], x[f[1]], x[f[2]], x[f[3]]}).area);
  return largest;
}

/// Volume and centroid of a solid of 8 nodes, degenerate or not: exact for the trilinear map.
struct VolumeAndCentre {
  double volume = 0;
  Vec3 centre;
};
VolumeAndCentre solid_volume(const std::array<Vec3, 8>& x);

}  // namespace crumple::model
