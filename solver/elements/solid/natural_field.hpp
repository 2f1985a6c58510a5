// Fields of a solid's shape functions in natural coordinates: derivatives of nodal values at the integration
// points, and the transpose, nodal values from conjugates of these derivatives.
//
// With j = dx / dxi of the positions and c = weight det(j) j^-T its cofactors, a field u has the gradient
// sum_m du/dxi_m c_m / volume, and the stress s gives the nodal forces of t_m = s c_m. So each point costs
// nine derivatives, and nodal values are used only at the beginning and the end. The general form sums over
// the nodes; shapes with patterns of signs have a faster one (full_hexahedron.hpp).
#pragma once

#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Derivatives of the shape functions at all points, [point][node][natural direction].
template <class Shape>
struct DerivativeTable {
  double d[Shape::n_points][Shape::n_nodes][3];
  constexpr DerivativeTable() : d() {
    for (int p = 0; p < Shape::n_points; ++p)
      for (int a = 0; a < Shape::n_nodes; ++a)
        for (int m = 0; m < 3; ++m) d[p][a][m] = Shape::derivative(p, a, m);
  }
};
template <class Shape>
inline constexpr DerivativeTable<Shape> derivative_table{};

/// A vector field given by its nodal values.
template <class Shape, class V>
class NaturalField {
 public:
  explicit NaturalField(const V (&nodes)[Shape::n_nodes][3]) {
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) node_[a][i] = nodes[a][i];
  }

  /// du_i / dxi_m at point p, [m][i].
  void derivatives(int p, V (&j)[3][3]) const {
    using T = simd::scalar_t<V>;
    const auto& d = derivative_table<Shape>.d[p];
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) {
        j[m][i] = V(static_cast<T>(d[0][m])) * node_[0][i];
        for (int a = 1; a < Shape::n_nodes; ++a) j[m][i] += V(static_cast<T>(d[a][m])) * node_[a][i];
      }
  }

 private:
  V node_[Shape::n_nodes][3];
};

/// Nodal values conjugate to derivatives at the points.
template <class Shape, class V>
class NodalSum {
 public:
  NodalSum() {
    for (auto& node : node_)
      for (V& component : node) component = V(0);
  }

  /// Add t_im at point p, [m][i].
  void add(int p, const V (&t)[3][3]) {
    using T = simd::scalar_t<V>;
    const auto& d = derivative_table<Shape>.d[p];
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int m = 0; m < 3; ++m)
        for (int i = 0; i < 3; ++i) node_[a][i] += V(static_cast<T>(d[a][m])) * t[m][i];
  }
  void add(V factor, const NodalSum& other) {
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) node_[a][i] += factor * other.node_[a][i];
  }

  void at_nodes(V (&f)[Shape::n_nodes][3]) const {
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) f[a][i] = node_[a][i];
  }

 private:
  V node_[Shape::n_nodes][3];
};

/// Cofactors of j times `weight`, [m][i]; returns the volume of the point.
template <class V>
V cofactors(double weight, const V (&j)[3][3], V (&c)[3][3]) {
  const V w(static_cast<simd::scalar_t<V>>(weight));
  for (int m = 0; m < 3; ++m) {
    const int n = (m + 1) % 3, o = (m + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int k = (i + 1) % 3, l = (i + 2) % 3;
      c[m][i] = j[n][k] * j[o][l] - j[n][l] * j[o][k];
      if (weight != 1) c[m][i] *= w;
    }
  }
  return j[0][0] * c[0][0] + j[0][1] * c[0][1] + j[0][2] * c[0][2];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
