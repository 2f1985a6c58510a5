// Warping terms of quadrilateral shells (BWC = 1, and ELFORM 16 with hourglass type 8).
//
// Belytschko, Wong and Chiang (1992), "Advances in one-point quadrature shell elements", and the drill
// projection of Belytschko and Leviathan (1994). Here they follow from one kinematic assumption: a point
// at height z is X = x + z p, where p_I is the normal of the bilinear surface at node I, scaled to a unit
// component along the element's e3, and rotates with the node, dp/dt = w x p. The velocity gradient is then,
// to first order in z,
//
//   v_a,b + z (dp_a/dt,b - v_a,c p_c,b),   shear  v_3,a + dp_a/dt + v_c,a p_c.
//
// dp/dt uses the rotations without their part along p (the drill projection); -v_a,c p_c,b couples curvature
// and membrane. Both vanish on flat elements. Any rigid rotation gives zero strain, which is the purpose of
// the full projection (PROJ = 1). So PROJ = 0 and 1 are the same here.
#pragma once

#include "elements/shell/quad_operators.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Local x and y of the normals at the nodes (local z is 1), and their moments.
template <class V>
struct Directors {
  V p[4][2];
  V mean[2];
  V gradient[2][2];  ///< [c][b] = p_c,b
  V h[2];            ///< gamma_I p_cI
};

/// At the geometry of time `back` before t_n; `g` has its frame.
template <class V>
inline Directors<V> quad_directors(const Motion<V, 4>& m, V back, const QuadGeometry<V>& g) {
  V x[4][3];
  for (int n = 0; n < 4; ++n) {
    V r[3];
    for (int k = 0; k < 3; ++k) r[k] = m.x[n][k] - back * m.v[n][k];
    g.frame.to_local(r, x[n]);
  }
  Directors<V> d;
  for (int n = 0; n < 4; ++n) {
    V a[3], b[3], normal[3];
    for (int k = 0; k < 3; ++k) {
      a[k] = x[(n + 1) % 4][k] - x[n][k];
      b[k] = x[(n + 3) % 4][k] - x[n][k];
    }
    cross(a, b, normal);
    // A corner without an angle (a quadrilateral that has become a triangle) gets the element's normal.
    const auto corner = normal[2] > V(1e-3) * g.area;
    const V inverse = V(1) / simd::select(corner, normal[2], V(1));
    for (int c = 0; c < 2; ++c) d.p[n][c] = simd::select(corner, normal[c] * inverse, V(0));
  }
  for (int c = 0; c < 2; ++c) {
    const V p13 = d.p[0][c] - d.p[2][c], p24 = d.p[1][c] - d.p[3][c];
    const V odd = d.p[0][c] + d.p[2][c], even = d.p[1][c] + d.p[3][c];
    d.gradient[c][0] = g.bx[0] * p13 + g.bx[1] * p24;
    d.gradient[c][1] = g.by[0] * p13 + g.by[1] * p24;
    d.mean[c] = V(0.25) * (odd + even);
    d.h[c] = odd - even - g.h[0] * d.gradient[c][0] - g.h[1] * d.gradient[c][1];
  }
  return d;
}

/// The part of the nodes' angular velocities w that rotates the normals.
template <class V>
inline void project_rotations(const QuadGeometry<V>& g, const Directors<V>& d, const V (&w)[4][3],
                              V (&turning)[4][3]) {
  for (int n = 0; n < 4; ++n) {
    const V drill = dot(g.frame.e[2], w[n]);
    for (int k = 0; k < 3; ++k)
      turning[n][k] = w[n][k] - drill * (d.p[n][0] * g.frame.e[0][k] + d.p[n][1] * g.frame.e[1][k]);
  }
}

/// The transpose: the part of the moments about the element's normal.
template <class V>
inline void project_moments(const QuadGeometry<V>& g, const Directors<V>& d, V (&moment)[4][3]) {
  for (int n = 0; n < 4; ++n) {
    const V drill = d.p[n][0] * dot(g.frame.e[0], moment[n]) + d.p[n][1] * dot(g.frame.e[1], moment[n]);
    for (int k = 0; k < 3; ++k) moment[n][k] -= drill * g.frame.e[2][k];
  }
}

/// Coupling terms of the increments and hourglass rates; `r` has the projected rotations.
template <class V>
inline void add_warping(const Directors<V>& d, const QuadRates<V>& r, V dt, Increment<V>& increment,
                        HourglassModes<V>& modes) {
  const auto v = [&](int a, int c) { return c == 0 ? r.vx[a] : r.vy[a]; };
  const auto coupling = [&](int a, int b) { return v(a, 0) * d.gradient[0][b] + v(a, 1) * d.gradient[1][b]; };
  increment.curvature[0] -= dt * coupling(0, 0);
  increment.curvature[1] -= dt * coupling(1, 1);
  increment.curvature[2] -= dt * (coupling(0, 1) + coupling(1, 0));
  increment.shear[0] += dt * (v(0, 1) * d.mean[0] + v(1, 1) * d.mean[1]);
  increment.shear[1] += dt * (v(0, 0) * d.mean[0] + v(1, 0) * d.mean[1]);
  // Modes 2 and 3 belong to the rotations about x and y: -dp_y/dt and dp_x/dt.
  modes.q[2] += v(1, 0) * d.h[0] + v(1, 1) * d.h[1];
  modes.q[3] -= v(0, 0) * d.h[0] + v(0, 1) * d.h[1];
}

/// The transpose: adds the terms of moments m, shear s and hourglass stresses to the conjugates of v_a,c.
template <class V>
inline void add_warping_conjugates(const Directors<V>& d, const V (&m)[3], const V (&s)[2],
                                   const HourglassModes<V>& hg, QuadConjugates<V>& to) {
  const V mm[2][2] = {{m[0], m[2]}, {m[2], m[1]}}, shear[2] = {s[1], s[0]}, turn[2] = {-hg.q[3], hg.q[2]};
  for (int a = 0; a < 2; ++a) {
    const auto share = [&](int c) {
      return shear[c] * d.mean[a] + turn[a] * d.h[c] - mm[a][0] * d.gradient[c][0] -
             mm[a][1] * d.gradient[c][1];
    };
    to.fx[a] += share(0);
    to.fy[a] += share(1);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
