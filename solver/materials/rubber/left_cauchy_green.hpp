// The left Cauchy-Green tensor b as history of laws of finite strain.
//
// b rotates with the stress and is stretched by the exponential of the strain increment, b = e^d b e^d, to
// second order. In solids its determinant is set to that of the element, so that a stiff pressure does not
// drift. Kept is g = b - 1, and the volume enters as e = det b - 1: large terms that cancel at zero strain do
// not appear, so single precision keeps its digits. All is inlined always, as in tensors.hpp.
#pragma once

#include "materials/tensors.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// a b for symmetric a and b that give a symmetric product: powers of one tensor.
template <class V>
[[gnu::always_inline]] inline void multiply(const V (&a)[6], const V (&b)[6], V (&ab)[6]) {
  ab[0] = a[0] * b[0] + a[3] * b[3] + a[5] * b[5];
  ab[1] = a[3] * b[3] + a[1] * b[1] + a[4] * b[4];
  ab[2] = a[5] * b[5] + a[4] * b[4] + a[2] * b[2];
  ab[3] = a[0] * b[3] + a[3] * b[1] + a[5] * b[4];
  ab[4] = a[3] * b[5] + a[1] * b[4] + a[4] * b[2];
  ab[5] = a[0] * b[5] + a[3] * b[4] + a[5] * b[2];
}

template <class V>
[[gnu::always_inline]] inline V determinant(const V (&a)[6]) {
  return a[0] * (a[1] * a[2] - a[4] * a[4]) - a[3] * (a[3] * a[2] - a[4] * a[5]) +
         a[5] * (a[3] * a[4] - a[1] * a[5]);
}

/// h in the stretch 1 + h = e^d of a strain increment with engineering shear, to second order.
template <class V>
[[gnu::always_inline]] inline void stretch_of(const V (&d)[6], V (&h)[6]) {
  const V half = V(0.5);
  const V e[6] = {d[0], d[1], d[2], half * d[3], half * d[4], half * d[5]};
  multiply(e, e, h);
  for (int k = 0; k < 6; ++k) h[k] = e[k] + half * h[k];
}

/// g in b = 1 + g after the stretch: b = (1 + h) b (1 + h).
template <class V>
[[gnu::always_inline]] inline void stretch(const V (&h)[6], V (&g)[6]) {
  const V one = V(1);
  const V rows[3][3] = {{one + h[0], h[3], h[5]}, {h[3], one + h[1], h[4]}, {h[5], h[4], one + h[2]}};
  rotate(rows, g);
  V square[6];
  multiply(h, h, square);
  for (int k = 0; k < 6; ++k) g[k] += V(2) * h[k] + square[k];
}

/// det(1 + g) - 1, computed without the cancellation of the difference.
template <class V>
[[gnu::always_inline]] inline V dilatation(const V (&g)[6]) {
  const V minors = g[0] * g[1] - g[3] * g[3] + (g[1] * g[2] - g[4] * g[4]) + (g[2] * g[0] - g[5] * g[5]);
  return g[0] + g[1] + g[2] + minors + determinant(g);
}

/// g of a solid point at the end of the step, from the history's, which rotates first; returns e. Where the
/// element gives no volume, e is that of the strain increments.
template <class V>
[[gnu::always_inline]] inline V stretch_solid(const SolidPoint<V>& point, V (&g)[6]) {
  V h[6];
  load_history(point.history, g);
  if (point.rotation) rotate(point.rotation, g);
  stretch_of(point.d, h);
  stretch(h, g);
  const V drifted = dilatation(g);
  const V volume = point.volume_ratio;
  const V e = simd::select(volume > V(0), (volume - V(1)) * (volume + V(1)), drifted);
  const V off = (e - drifted) / (V(3) * (V(1) + drifted));
  const V grown = off - off * off;  // cube root minus 1, to second order
  for (int k = 0; k < 6; ++k) g[k] += grown * (k < 3 ? g[k] + V(1) : g[k]);
  return e;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
