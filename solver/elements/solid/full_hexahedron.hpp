// Hexahedron with 2x2x2 points and one mean dilatation (ELFORM 2, selectively reduced integration).
#pragma once

#include "elements/solid/isoparametric.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

struct FullHexahedronShape {
  static constexpr int n_nodes = 8, n_points = 8;
  static constexpr bool mean_dilatation = true;
  static constexpr double weight = 1.0;
  static constexpr auto& shape = kHexahedronShape;
  /// Point p lies towards node p.
  static constexpr double derivative(int p, int a, int m) {
    constexpr double g = 0.57735026918962576451;  // 1 / sqrt(3)
    double product = 0.125 * (2 * shape[a][m] - 1);
    for (int o = 0; o < 3; ++o)
      if (o != m) product *= 1 + (2 * shape[a][o] - 1) * g * (2 * shape[p][o] - 1);
    return product;
  }

  template <class V>
  static V length(const V (&x)[8][3], V volume) {
    return volume * inverse_of_largest_face(x);
  }
};

template <class V>
void full_hexahedron_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  isoparametric_kernel<FullHexahedronShape, V>(args);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
