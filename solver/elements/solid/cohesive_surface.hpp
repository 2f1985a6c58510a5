// The mid-surface of a cohesive element: its points, its axes and its area.
//
// Corner a of the mid-surface lies half way between node a of the lower surface and node a of the upper one.
// Points are Gauss's 2 x 2 or, as Newton-Cotes, the corners themselves; a triangle has its centroid.
#pragma once

#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Corners in the natural square of a quadrilateral.
inline constexpr double kSquare[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/// A quadrilateral with four points, or a triangle with one.
template <int corners>
struct CohesiveSurface {
  static constexpr int n_points = corners == 4 ? 4 : 1;

  /// Shape function of a corner at point p, each of whose coordinates has the size `at`.
  static constexpr double value(int p, int corner, double at) {
    if (corners == 3) return 1.0 / 3;
    return 0.25 * (1 + kSquare[corner][0] * kSquare[p][0] * at) *
           (1 + kSquare[corner][1] * kSquare[p][1] * at);
  }
  /// Its derivative by natural coordinate m.
  static constexpr double slope(int p, int corner, int m, double at) {
    if (corners == 3) return corner == 0 ? -1.0 : corner == m + 1 ? 1.0 : 0.0;
    return 0.25 * kSquare[corner][m] * (1 + kSquare[corner][1 - m] * kSquare[p][1 - m] * at);
  }
  static constexpr double weight = corners == 4 ? 1.0 : 0.5;
};

template <class V>
void cross_product(const V (&a)[3], const V (&b)[3], V (&c)[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
}

template <class V>
V inverse_length(const V (&a)[3]) {
  return simd::inverse_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/// Derivatives of the position by the natural coordinates at a point.
template <int corners, class V>
void tangents_at(const V (&x)[corners][3], int p, double at, V (&g)[2][3]) {
  using T = simd::scalar_t<V>;
  for (int m = 0; m < 2; ++m)
    for (int i = 0; i < 3; ++i) {
      V sum = V(0);
      for (int a = 0; a < corners; ++a)
        sum += V(static_cast<T>(CohesiveSurface<corners>::slope(p, a, m, at))) * x[a][i];
      g[m][i] = sum;
    }
}

/// Area that belongs to a point: its weight times the length of the normal.
template <int corners, class V>
V area_at(const V (&x)[corners][3], int p, double at) {
  V g[2][3], n[3];
  tangents_at<corners>(x, p, at, g);
  cross_product(g[0], g[1], n);
  const V weight = V(static_cast<simd::scalar_t<V>>(CohesiveSurface<corners>::weight));
  return weight * simd::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/// Axes at the centre, rows of `axes`: two along the mid-surface and its normal. The first two lie
/// symmetrically to the natural coordinates, so that neither is preferred and shear of the surface in its
/// plane does not turn them.
template <int corners, class V>
void surface_axes(const V (&x)[corners][3], V (&axes)[3][3]) {
  V g[2][3], sum[3], difference[3];
  tangents_at<corners>(x, 0, 0.0, g);
  cross_product(g[0], g[1], axes[2]);
  const V normal = inverse_length(axes[2]), first = inverse_length(g[0]), second = inverse_length(g[1]);
  for (int i = 0; i < 3; ++i) {
    axes[2][i] *= normal;
    sum[i] = first * g[0][i] + second * g[1][i];
    difference[i] = first * g[0][i] - second * g[1][i];
  }
  const V of_sum = inverse_length(sum), of_difference = inverse_length(difference);
  for (int i = 0; i < 3; ++i) axes[0][i] = of_sum * sum[i] + of_difference * difference[i];
  const V length = inverse_length(axes[0]);
  for (int i = 0; i < 3; ++i) axes[0][i] *= length;
  cross_product(axes[2], axes[0], axes[1]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
