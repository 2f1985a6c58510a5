// The corotational frame of a quadrilateral shell and its one-point gradient operator.
//
// Belytschko, Lin and Tsay (1984), "Explicit algorithms for the nonlinear dynamics of shells", Comput.
// Methods Appl. Mech. Eng. 42, eqs. 1-6: e3 is normal to both diagonals, e1 lies along side 1-2. Since the
// diagonals lie in the frame's plane, the whole geometry reduces to the two diagonals and the hourglass
// vector h = (1, -1, 1, -1) applied to the coordinates.
#pragma once

#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Unit vectors in rows.
template <class V>
struct Frame {
  V e[3][3];

  void to_local(const V (&global)[3], V (&local)[3]) const {
    for (int i = 0; i < 3; ++i) local[i] = e[i][0] * global[0] + e[i][1] * global[1] + e[i][2] * global[2];
  }
  void to_global(const V (&local)[3], V (&global)[3]) const {
    for (int k = 0; k < 3; ++k) global[k] = e[0][k] * local[0] + e[1][k] * local[1] + e[2][k] * local[2];
  }
};

template <class V>
inline void cross(const V (&a)[3], const V (&b)[3], V (&c)[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}
template <class V>
inline V dot(const V (&a)[3], const V (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// e3 along `normal`, e1 along the part of `along` normal to e3; `square` and `inverse` are normal . normal
/// and 1 over its root.
///
/// That part is along - (along . normal) normal / square. The square of its length, times `square`, is the
/// square of along x normal. So the second root does not wait for the first.
template <class V>
inline void make_frame(const V (&normal)[3], V square, V inverse, const V (&along)[3], Frame<V>& f) {
  const V out = dot(along, normal);
  const V r = simd::inverse_sqrt(dot(along, along) * square - out * out) * inverse;
  const V keep = r * square, remove = r * out;
  for (int k = 0; k < 3; ++k) f.e[2][k] = normal[k] * inverse;
  for (int k = 0; k < 3; ++k) f.e[0][k] = keep * along[k] - remove * normal[k];
  cross(f.e[2], f.e[0], f.e[1]);
}

/// Gradient of a nodal field f at the centre: d/dx = bx[0] (f1 - f3) + bx[1] (f2 - f4), and d/dy with by.
template <class V>
struct QuadGeometry {
  Frame<V> frame;
  V area;
  V bx[2], by[2];
  V h[3];  ///< sum of h_I x_I in local axes; h[2] measures the warping
};

/// Corners `x` in global axes relative to node 0.
template <class V>
inline void quad_geometry(const V (&x)[4][3], QuadGeometry<V>& g) {
  V d31[3], d42[3], normal[3], hg[3];
  for (int k = 0; k < 3; ++k) {
    d31[k] = x[2][k] - x[0][k];
    d42[k] = x[3][k] - x[1][k];
    hg[k] = x[0][k] - x[1][k] + x[2][k] - x[3][k];
  }
  cross(d31, d42, normal);
  const V square = dot(normal, normal);
  const V inverse = simd::inverse_sqrt(square);  // of twice the area
  make_frame(normal, square, inverse, x[1], g.frame);
  g.area = V(0.5) * square * inverse;
  const Frame<V>& f = g.frame;
  g.bx[0] = -dot(f.e[1], d42) * inverse;
  g.bx[1] = dot(f.e[1], d31) * inverse;
  g.by[0] = dot(f.e[0], d42) * inverse;
  g.by[1] = -dot(f.e[0], d31) * inverse;
  f.to_local(hg, g.h);
}

/// Sum of squares of the gradient operator, B_iI B_iI.
template <class V>
inline V gradient_square(const QuadGeometry<V>& g) {
  return V(2) * (g.bx[0] * g.bx[0] + g.bx[1] * g.bx[1] + g.by[0] * g.by[0] + g.by[1] * g.by[1]);
}

/// LS-DYNA's characteristic length, option 0: area over the longest side.
template <class V>
inline V quad_length(const V (&x)[4][3], V area) {
  V longest(0);
  for (int n = 0; n < 4; ++n) {
    V s[3];
    for (int k = 0; k < 3; ++k) s[k] = x[(n + 1) % 4][k] - x[n][k];
    longest = simd::max(longest, dot(s, s));
  }
  return area * simd::inverse_sqrt(longest);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
