// Uniform gradients, volumes and characteristic lengths of hexahedra, pentahedra and tetrahedra.
//
// B_iI is the integral of dN_I/dx_i over the element, so that the mean velocity gradient is
// sum_I v_I B_I / volume (Flanagan and Belytschko 1981, "A uniform strain hexahedron and quadrilateral
// with orthogonal hourglass control"). Nodes are numbered as in LS-DYNA: 1-4 around the bottom,
// 5-8 above them.
#pragma once

#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Unit cube, relative to its first node.
inline constexpr int kHexahedronShape[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

/// One entry of the hexahedron's gradient: node `a` of F&B's table, its three edge neighbours b, d, e and
/// face neighbours c, f, h, in the order that the permutations of the table give.
template <class V>
V hexahedron_gradient_entry(const V (&y)[8][3], int j, int k, int b, int c, int d, int e, int f, int h) {
  return y[b][j] * ((y[f][k] - y[c][k]) - (y[d][k] - y[e][k])) + y[c][j] * (y[b][k] - y[d][k]) +
         y[d][j] * ((y[c][k] - y[h][k]) - (y[e][k] - y[b][k])) +
         y[e][j] * ((y[h][k] - y[f][k]) - (y[b][k] - y[d][k])) + y[f][j] * (y[e][k] - y[b][k]) +
         y[h][j] * (y[d][k] - y[e][k]);
}

/// B[I][i] of a hexahedron, exact for any node positions (F&B 1981, one entry and its permutations).
template <class V>
void hexahedron_gradient(const V (&x)[8][3], V (&b)[8][3]) {
  constexpr int permutation[8][7] = {{0, 1, 2, 3, 4, 5, 7}, {1, 2, 3, 0, 5, 6, 4}, {2, 3, 0, 1, 6, 7, 5},
                                     {3, 0, 1, 2, 7, 4, 6}, {4, 7, 6, 5, 0, 3, 1}, {5, 4, 7, 6, 1, 0, 2},
                                     {6, 5, 4, 7, 2, 1, 3}, {7, 6, 5, 4, 3, 2, 0}};
  const V twelfth = static_cast<simd::scalar_t<V>>(1.0 / 12.0);
#pragma GCC unroll 8
  for (int a = 0; a < 8; ++a) {
    const int* p = permutation[a];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i)
      b[p[0]][i] = twelfth *
                   hexahedron_gradient_entry(x, (i + 1) % 3, (i + 2) % 3, p[1], p[2], p[3], p[4], p[5], p[6]);
  }
}

/// Volume from the gradient, sum_I x_I B_xI; the y and z sums give the same.
template <class V, int N>
V volume_of(const V (&x)[N][3], const V (&b)[N][3]) {
  V sum = x[0][0] * b[0][0];
  for (int a = 1; a < N; ++a) sum += x[a][0] * b[a][0];
  return sum;
}

/// Twice the area, squared, of the quadrilateral or (with d = c) the triangle a, b, c, d.
template <class V>
V double_area_squared(const V* a, const V* b, const V* c, const V* d) {
  const V p[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const V q[3] = {d[0] - b[0], d[1] - b[1], d[2] - b[2]};
  const V n0 = p[1] * q[2] - p[2] * q[1], n1 = p[2] * q[0] - p[0] * q[2], n2 = p[0] * q[1] - p[1] * q[0];
  return n0 * n0 + n1 * n1 + n2 * n2;
}

/// The area of a hexahedron's largest face, squared.
template <class V>
V largest_face_squared(const V (&x)[8][3]) {
  using simd::max;
  const V bottom_top =
      max(double_area_squared(x[0], x[1], x[2], x[3]), double_area_squared(x[4], x[5], x[6], x[7]));
  const V front_back =
      max(double_area_squared(x[0], x[1], x[5], x[4]), double_area_squared(x[3], x[2], x[6], x[7]));
  const V sides =
      max(double_area_squared(x[0], x[3], x[7], x[4]), double_area_squared(x[1], x[2], x[6], x[5]));
  return V(static_cast<simd::scalar_t<V>>(0.25)) * max(bottom_top, max(front_back, sides));
}

/// Cube root of a volume; `inverse` is 1 / volume. It needs a start near the root: the last step's root,
/// since volumes change little in a step.
///
/// Two steps r (1 - h)^(-1/3) with h = 1 - r^3 / volume, by the series to h^3: with h = 0.1 at the start (a
/// tenth of the volume) the error is below 1e-18. h is kept above -1, so that it converges from any positive
/// start.
template <class V>
V cube_root_near(V inverse, V start) {
  const auto constant = [](double c) { return V(static_cast<simd::scalar_t<V>>(c)); };
  V r = start;
  for (int step = 0; step < 2; ++step) {
    const V h = simd::max(constant(1) - r * r * r * inverse, constant(-1));
    r += r * h * (constant(1.0 / 3) + h * (constant(2.0 / 9) + h * constant(14.0 / 81)));
  }
  return r;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
