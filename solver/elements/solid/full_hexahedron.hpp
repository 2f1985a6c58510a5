// Hexahedron with 2x2x2 points and one mean dilatation (ELFORM 2, selectively reduced integration).
#pragma once

#include "elements/solid/hourglass.hpp"
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
  static V area_squared(const V (&x)[8][3]) {
    return largest_face_squared(x);
  }
};

/// Along direction m a trilinear field has the derivative a_m + y h_o + z h_n + y z h_3, with y and z the
/// coordinates n and o that follow m. The coefficients are sums of nodal values times a pattern of signs,
/// divided by 8: a_m of the axis, h_k of the product of the two coordinates other than k, h_3 of all three.
struct FullHexahedronPoint {
  double at[3];
  explicit FullHexahedronPoint(int p) {
    for (int m = 0; m < 3; ++m) at[m] = 0.57735026918962576451 * (2 * kHexahedronShape[p][m] - 1);
  }
};

template <class V>
class NaturalField<FullHexahedronShape, V> {
 public:
  explicit NaturalField(const V (&nodes)[8][3]) {
    const V eighth(static_cast<simd::scalar_t<V>>(0.125));
    for (int i = 0; i < 3; ++i) {
      const SignSums<V> sums = sign_sums(nodes, i);
      for (int m = 0; m < 3; ++m) axis_[m][i] = eighth * sums.axis[m];
      for (int a = 0; a < 4; ++a) pattern_[a][i] = eighth * sums.hourglass[a];
    }
  }

  void derivatives(int p, V (&j)[3][3]) const {
    using T = simd::scalar_t<V>;
    const FullHexahedronPoint point(p);
    for (int m = 0; m < 3; ++m) {
      const int n = (m + 1) % 3, o = (m + 2) % 3;
      const V y(static_cast<T>(point.at[n])), z(static_cast<T>(point.at[o])), yz = y * z;
      for (int i = 0; i < 3; ++i)
        j[m][i] = axis_[m][i] + y * pattern_[o][i] + z * pattern_[n][i] + yz * pattern_[3][i];
    }
  }

 private:
  V axis_[3][3], pattern_[4][3];  ///< [pattern][component]
};

template <class V>
class NodalSum<FullHexahedronShape, V> {
 public:
  NodalSum() {
    for (auto& pattern : pattern_)
      for (V& component : pattern) component = V(0);
  }

  void add(int p, const V (&t)[3][3]) {
    using T = simd::scalar_t<V>;
    const FullHexahedronPoint point(p);
    for (int m = 0; m < 3; ++m) {
      const int n = (m + 1) % 3, o = (m + 2) % 3;
      const V y(static_cast<T>(point.at[n])), z(static_cast<T>(point.at[o])), yz = y * z;
      for (int i = 0; i < 3; ++i) {
        pattern_[kAxis + m][i] += t[m][i];
        pattern_[o][i] += y * t[m][i];
        pattern_[n][i] += z * t[m][i];
        pattern_[3][i] += yz * t[m][i];
      }
    }
  }
  void add(V factor, const NodalSum& other) {
    for (int k = 0; k < 7; ++k)
      for (int i = 0; i < 3; ++i) pattern_[k][i] += factor * other.pattern_[k][i];
  }

  void at_nodes(V (&f)[8][3]) const {
    const V eighth(static_cast<simd::scalar_t<V>>(0.125));
    for (int i = 0; i < 3; ++i) {
      V a[3], q[4];
      for (int m = 0; m < 3; ++m) a[m] = eighth * pattern_[kAxis + m][i];
      for (int k = 0; k < 4; ++k) q[k] = eighth * pattern_[k][i];
      set_pattern(a, q, i, f);
    }
  }

 private:
  static constexpr int kAxis = 4;
  V pattern_[7][3];  ///< [pattern][component]: hourglass patterns, then axes
};

using FullHexahedronForm = IsoparametricForm<FullHexahedronShape>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
