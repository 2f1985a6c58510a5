// Six-node pentahedron (wedge) with two integration points on its axis (ELFORM 15).
//
// Two points at the centroid of the triangle integrate the volume and the gradient of linear fields
// exactly. One mode has no stiffness: the two triangles rotate in opposite senses about the axis, which gives
// no strain on the axis. A single wedge can do this; wedges that share edges of their triangles cannot all do
// it.
#pragma once

#include "elements/solid/isoparametric.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Triangles 1 2 3 and 4 5 6, the first counter-clockwise seen from the second. Area coordinates 1-r-s, r, s
/// times (1 -+ z) / 2.
struct PentahedronShape {
  static constexpr int n_nodes = 6, n_points = 2;
  static constexpr bool mean_dilatation = false;
  static constexpr double weight = 0.5;
  static constexpr int shape[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  static constexpr double derivative(int p, int a, int m) {
    constexpr double z = 0.57735026918962576451;  // 1 / sqrt(3)
    const double side = a < 3 ? -1.0 : 1.0, at = p == 0 ? -z : z;
    const int corner = a % 3;
    if (m == 2) return side / 6;  // every area coordinate is 1/3 there
    const double slope = corner == 0 ? -1.0 : corner == m + 1 ? 1.0 : 0.0;
    return slope * (1 + side * at) / 2;
  }

  /// The area of the largest face, squared, as for bricks.
  template <class V>
  static V area_squared(const V (&x)[6][3]) {
    using T = simd::scalar_t<V>;
    const V ends =
        simd::max(double_area_squared(x[0], x[1], x[2], x[2]), double_area_squared(x[3], x[4], x[5], x[5]));
    const V sides = simd::max(
        simd::max(double_area_squared(x[0], x[1], x[4], x[3]), double_area_squared(x[1], x[2], x[5], x[4])),
        double_area_squared(x[2], x[0], x[3], x[5]));
    return V(static_cast<T>(0.25)) * simd::max(ends, sides);
  }
};

using PentahedronForm = IsoparametricForm<PentahedronShape>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
