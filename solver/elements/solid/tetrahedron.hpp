// Four-node tetrahedron with one integration point (ELFORM 10): constant strain.
#pragma once

#include "elements/solid/isoparametric.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Nodes 1 2 3 counter-clockwise seen from node 4; shape functions 1-r-s-t, r, s, t.
struct TetrahedronShape {
  static constexpr int n_nodes = 4, n_points = 1;
  static constexpr bool mean_dilatation = false;
  static constexpr double weight = 1.0 / 6.0;
  static constexpr int shape[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static constexpr double derivative(int, int a, int m) { return a == 0 ? -1.0 : a == m + 1 ? 1.0 : 0.0; }

  /// The square of a third of the largest face's area: volume over that area is the smallest altitude.
  template <class V>
  static V area_squared(const V (&x)[4][3]) {
    using T = simd::scalar_t<V>;
    const V faces = simd::max(
        simd::max(double_area_squared(x[0], x[1], x[2], x[2]), double_area_squared(x[0], x[1], x[3], x[3])),
        simd::max(double_area_squared(x[1], x[2], x[3], x[3]), double_area_squared(x[2], x[0], x[3], x[3])));
    return V(static_cast<T>(1.0 / 36)) * faces;
  }
};

using TetrahedronForm = IsoparametricForm<TetrahedronShape>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
