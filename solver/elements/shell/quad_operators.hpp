// Strain rates of a quadrilateral shell at its centre, its hourglass rates, and the nodal forces conjugate
// to them: the operators that ELFORM 2 and 16 share.
//
// Belytschko, Lin and Tsay (1984), eqs. 7-26.
#pragma once

#include "elements/shell/hourglass.hpp"
#include "elements/shell/lamina.hpp"
#include "elements/shell/motion.hpp"
#include "elements/shell/quad_geometry.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Properties of quadrilateral shells that the drivers ask for (element.hpp).
struct QuadShell {
  static constexpr int n_nodes = 4;
  static constexpr bool rotations = true, prefetches = true, drilling = true, damps = true,
                        only_step_at_start = false;
  static int variables(const GroupParameters& g) { return shell_variables(g); }
};

/// Geometry at the time `back` before t_n.
template <class V>
inline void quad_geometry_at(const NodalMotion<V, 4>& m, V back, QuadGeometry<V>& g) {
  V x[4][3];
  for (int n = 0; n < 4; ++n) {
    for (int k = 0; k < 3; ++k) x[n][k] = m.x[n][k] - back * m.v[n][k];
  }
  quad_geometry(x, g);
}

/// Velocity gradients of a quadrilateral at its centre, local axes.
template <class V>
struct QuadRates {
  V vx[3], vy[3], vh[3];  ///< d/dx and d/dy of the velocity, and sum of h_I v_I
  V wx[2], wy[2], wh[2];  ///< the same for the angular velocity's x and y
  V w[2];                 ///< mean of the angular velocity's x and y
};

/// Gradients of velocities v and angular velocities w.
template <class V>
inline QuadRates<V> quad_rates(const V (&v)[4][3], const V (&w)[4][3], const QuadGeometry<V>& g) {
  V v13[3], v24[3], vh[3], w13[3], w24[3], wh[3], ws[3];
  for (int k = 0; k < 3; ++k) {
    v13[k] = -v[2][k];
    v24[k] = v[1][k] - v[3][k];
    vh[k] = v[2][k] - v[1][k] - v[3][k];
    w13[k] = w[0][k] - w[2][k];
    w24[k] = w[1][k] - w[3][k];
    const V odd = w[0][k] + w[2][k], even = w[1][k] + w[3][k];
    wh[k] = odd - even;
    ws[k] = V(0.25) * (odd + even);
  }
  QuadRates<V> r;
  V l13[3], l24[3], turn[3];
  g.frame.to_local(v13, l13);
  g.frame.to_local(v24, l24);
  g.frame.to_local(vh, r.vh);
  for (int k = 0; k < 3; ++k) {
    r.vx[k] = g.bx[0] * l13[k] + g.bx[1] * l24[k];
    r.vy[k] = g.by[0] * l13[k] + g.by[1] * l24[k];
  }
  g.frame.to_local(w13, l13);
  g.frame.to_local(w24, l24);
  for (int k = 0; k < 2; ++k) {
    r.wx[k] = g.bx[0] * l13[k] + g.bx[1] * l24[k];
    r.wy[k] = g.by[0] * l13[k] + g.by[1] * l24[k];
  }
  g.frame.to_local(wh, turn);
  r.wh[0] = turn[0], r.wh[1] = turn[1];
  g.frame.to_local(ws, turn);
  r.w[0] = turn[0], r.w[1] = turn[1];
  return r;
}

/// Strain increments (Belytschko, Lin, Tsay 1984, eqs. 11-14) times dt.
template <class V>
inline Increment<V> quad_increment(const QuadRates<V>& r, V dt) {
  Increment<V> d;
  d.membrane[0] = dt * r.vx[0];
  d.membrane[1] = dt * r.vy[1];
  d.membrane[2] = dt * (r.vy[0] + r.vx[1]);
  d.curvature[0] = dt * r.wx[1];
  d.curvature[1] = -dt * r.wy[0];
  d.curvature[2] = dt * (r.wy[1] - r.wx[0]);
  d.shear[0] = dt * (r.vy[2] - r.w[0]);
  d.shear[1] = dt * (r.vx[2] + r.w[1]);
  return d;
}

/// gamma_I applied to the velocities. gamma is orthogonal to linear fields. The terms with h[2] make it
/// orthogonal to the rotation of a warped element, too: the frame rotates with the diagonals, and with it the
/// out-of-plane offsets of the corners.
template <class V>
inline HourglassModes<V> hourglass_rates(const QuadRates<V>& r, const QuadGeometry<V>& g) {
  HourglassModes<V> m;
  for (int k = 0; k < 2; ++k) {
    m.q[k] = r.vh[k] - g.h[0] * r.vx[k] - g.h[1] * r.vy[k];
    m.q[2 + k] = r.wh[k] - g.h[0] * r.wx[k] - g.h[1] * r.wy[k];
  }
  m.q[0] += g.h[2] * r.vx[2];
  m.q[1] += g.h[2] * r.vy[2];
  m.q[4] = r.vh[2] - g.h[0] * r.vx[2] - g.h[1] * r.vy[2];
  return m;
}

/// Conjugates of the gradients in QuadRates: their products sum to the internal power.
template <class V>
struct QuadConjugates {
  V fx[3], fy[3];  ///< of vx, vy
  V mx[2], my[2];  ///< of wx, wy
};

/// From resultants times area (force n, moment m, shear s with its factor) and hourglass stresses.
template <class V>
inline QuadConjugates<V> quad_conjugates(const QuadGeometry<V>& g, const V (&n)[3], const V (&m)[3],
                                         const V (&s)[2], const HourglassModes<V>& hg) {
  const V(&q)[5] = hg.q;
  const V(&h)[3] = g.h;
  return {{n[0] - h[0] * q[0], n[2] - h[0] * q[1], s[1] - h[0] * q[4] + h[2] * q[0]},
          {n[2] - h[1] * q[0], n[1] - h[1] * q[1], s[0] - h[1] * q[4] + h[2] * q[1]},
          {-m[2] - h[0] * q[2], m[0] - h[0] * q[3]},
          {-m[1] - h[1] * q[2], m[2] - h[1] * q[3]}};
}

/// Nodal forces and moments in global axes.
template <class V>
inline void quad_forces(const QuadGeometry<V>& g, const QuadConjugates<V>& to, const V (&s)[2],
                        const HourglassModes<V>& hg, V (&force)[4][3], V (&moment)[4][3]) {
  const V(&q)[5] = hg.q;
  const V quarter(0.25);
  V a[3], b[3], c[3], ga[3], gb[3], gc[3];
  for (int k = 0; k < 3; ++k) {
    a[k] = g.bx[0] * to.fx[k] + g.by[0] * to.fy[k];
    b[k] = g.bx[1] * to.fx[k] + g.by[1] * to.fy[k];
  }
  c[0] = q[0], c[1] = q[1], c[2] = q[4];
  g.frame.to_global(a, ga);
  g.frame.to_global(b, gb);
  g.frame.to_global(c, gc);
  for (int k = 0; k < 3; ++k) {
    force[0][k] = gc[k] + ga[k];
    force[1][k] = gb[k] - gc[k];
    force[2][k] = gc[k] - ga[k];
    force[3][k] = -gb[k] - gc[k];
  }
  const V even[2] = {-quarter * s[0], quarter * s[1]};
  const V first[2] = {g.bx[0] * to.mx[0] + g.by[0] * to.my[0], g.bx[0] * to.mx[1] + g.by[0] * to.my[1]};
  const V second[2] = {g.bx[1] * to.mx[0] + g.by[1] * to.my[0], g.bx[1] * to.mx[1] + g.by[1] * to.my[1]};
  const V twist[2] = {q[2], q[3]};
  for (int k = 0; k < 3; ++k) {
    const auto spread = [&](const V(&v)[2]) { return g.frame.e[0][k] * v[0] + g.frame.e[1][k] * v[1]; };
    const V p = spread(first), r = spread(second), t = spread(twist), e = spread(even);
    moment[0][k] = e + t + p;
    moment[1][k] = e - t + r;
    moment[2][k] = e + t - p;
    moment[3][k] = e - t - r;
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
