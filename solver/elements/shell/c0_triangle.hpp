// The C0 triangular shell (ELFORM 4): constant strain membrane, one-point bending, edge shear.
//
// Belytschko, Stolarski and Carpenter (1984), Int. J. Numer. Methods Eng. 20, 787-802; Kennedy, Belytschko
// and Lin (1986), Nucl. Eng. Des. 97, 1-24. The transverse shear is that of the three edges (mean rotation of
// the two ends relative to the chord), interpolated to the centroid. Written out, this gives the weights 1/3,
// 1/2, 1/6 of Kennedy, Belytschko and Lin's shear matrix. A single element has one mode without stiffness
// (six deformation modes of a plate triangle, five strains); as in the papers, it is not controlled.
#pragma once

#include "elements/shell/drilling.hpp"
#include "elements/shell/lamina.hpp"
#include "elements/shell/motion.hpp"
#include "elements/shell/quad_geometry.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Local coordinates: node 1 at the origin, node 2 at (x2, 0), node 3 at (x3, y3).
template <class V>
struct TriangleGeometry {
  Frame<V> frame;
  V area, x2, x3, y3;
  V inverse_x2, inverse_y3;
};

template <class V>
inline void triangle_geometry(const V (&x)[3][3], TriangleGeometry<V>& g) {
  V normal[3];
  cross(x[1], x[2], normal);
  const V square = dot(normal, normal), inverse = simd::inverse_sqrt(square);
  make_frame(normal, square, inverse, x[1], g.frame);
  g.area = V(0.5) * square * inverse;
  g.x2 = dot(g.frame.e[0], x[1]);
  g.x3 = dot(g.frame.e[0], x[2]);
  g.y3 = dot(g.frame.e[1], x[2]);
  g.inverse_x2 = simd::inverse(g.x2);
  g.inverse_y3 = simd::inverse(g.y3);
}

/// LS-DYNA's characteristic length of a triangle: twice the area over the longest side.
template <class V>
inline V triangle_length(const V (&x)[3][3], V area) {
  V longest(0);
  for (int n = 0; n < 3; ++n) {
    V s[3];
    for (int k = 0; k < 3; ++k) s[k] = x[(n + 1) % 3][k] - x[n][k];
    longest = simd::max(longest, dot(s, s));
  }
  return V(2) * area * simd::inverse_sqrt(longest);
}

/// Strain increments; r and s are the covariant directions of edges 1-2 and 1-3, along which the tip of a
/// fibre moves at z times r[n] or s[n].
template <class V>
inline Increment<V> triangle_increment(const Motion<V, 3>& m, const TriangleGeometry<V>& g, V dt) {
  V v2[3], v3[3], w[3][3], rx[3], ry[3];
  g.frame.to_local(m.v[1], v2);
  g.frame.to_local(m.v[2], v3);
  for (int n = 0; n < 3; ++n) g.frame.to_local(m.w[n], w[n]);
  // Gradients: f,x = (f2 - f1) / x2; f,y = (f3 - f1 - x3 f,x) / y3
  V vx[3], vy[3];
  for (int k = 0; k < 3; ++k) {
    vx[k] = v2[k] * g.inverse_x2;
    vy[k] = (v3[k] - g.x3 * vx[k]) * g.inverse_y3;
  }
  for (int k = 0; k < 2; ++k) {
    rx[k] = (w[1][k] - w[0][k]) * g.inverse_x2;
    ry[k] = (w[2][k] - w[0][k] - g.x3 * rx[k]) * g.inverse_y3;
  }
  V r[3], s[3];
  for (int n = 0; n < 3; ++n) {
    r[n] = g.x2 * w[n][1];
    s[n] = g.x3 * w[n][1] - g.y3 * w[n][0];
  }
  const V third(1.0 / 3), sixth(1.0 / 6), half(0.5);
  const V er = v2[2] + third * r[0] + half * r[1] + sixth * r[2] + sixth * (s[0] - s[1]);
  const V es = v3[2] + third * s[0] + sixth * s[1] + half * s[2] + sixth * (r[0] - r[2]);

  Increment<V> d;
  d.membrane[0] = dt * vx[0];
  d.membrane[1] = dt * vy[1];
  d.membrane[2] = dt * (vy[0] + vx[1]);
  d.curvature[0] = dt * rx[1];
  d.curvature[1] = -dt * ry[0];
  d.curvature[2] = dt * (ry[1] - rx[0]);
  d.shear[1] = dt * er * g.inverse_x2;
  d.shear[0] = (dt * es - g.x3 * d.shear[1]) * g.inverse_y3;
  return d;
}

/// Nodal forces and moments in global axes: the transpose of `triangle_increment`.
template <class V>
inline void triangle_forces(const TriangleGeometry<V>& g, V kappa, const Resultants<V>& r, V (&force)[3][3],
                            V (&moment)[3][3]) {
  // Node 2 gets the conjugate of f,x minus the part from f,y; node 3 gets that of f,y.
  const V ax = g.area * g.inverse_x2, ay = g.area * g.inverse_y3, lean = g.x3 * g.inverse_x2;
  const V fx[3] = {r.force[0], r.force[2], kappa * r.shear[1]};
  const V fy[3] = {r.force[2], r.force[1], kappa * r.shear[0]};
  V l2[3], l3[3];
  for (int k = 0; k < 3; ++k) {
    l3[k] = ay * fy[k];
    l2[k] = ax * fx[k] - lean * l3[k];
  }
  g.frame.to_global(l2, force[1]);
  g.frame.to_global(l3, force[2]);
  for (int k = 0; k < 3; ++k) force[0][k] = -force[1][k] - force[2][k];

  const V mx[2] = {-r.moment[2], r.moment[0]}, my[2] = {-r.moment[1], r.moment[2]};
  V m[3][3];
  for (int k = 0; k < 2; ++k) {
    m[2][k] = ay * my[k];
    m[1][k] = ax * mx[k] - lean * m[2][k];
    m[0][k] = -m[1][k] - m[2][k];
  }
  // Conjugates of the covariant shears are the nodal forces l2[2] and l3[2].
  const V third(1.0 / 3), sixth(1.0 / 6), half(0.5), er = l2[2], es = l3[2];
  const V cr[3] = {third * er + sixth * es, half * er, sixth * (er - es)};
  const V cs[3] = {sixth * er + third * es, sixth * (es - er), half * es};
  for (int n = 0; n < 3; ++n) {
    m[n][0] -= g.y3 * cs[n];
    m[n][1] += g.x2 * cr[n] + g.x3 * cs[n];
    m[n][2] = V(0);
    g.frame.to_global(m[n], moment[n]);
  }
}

struct C0Triangle {
  static constexpr int n_nodes = 3;
  static constexpr bool rotations = true, prefetches = true, hourglass = false, drilling = true, damps = true,
                        only_step_at_start = false;
  static int variables(const GroupParameters& g) { return shell_variables(g); }

  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    prefetch_shell<false>(before);
  }

  template <class V>
  [[gnu::always_inline]] void operator()(const GroupParameters& g, const Motion<V, 3>& motion,
                                         const Step<V>& of, const StateBefore<V>& before,
                                         const StateAfter<V>& after, Forces<V, 3, true>& out) const {
    const V dt(of.dt);
    V drilling[3];
    if (g.drilling > 0)
      out.drilling = advance_drilling<V, 3>(g, before, after, motion, dt, of.living, drilling);

    TriangleGeometry<V> middle;
    V x[3][3];
    for (int n = 0; n < 3; ++n) {
      for (int k = 0; k < 3; ++k) x[n][k] = motion.x[n][k] - V(0.5) * dt * motion.v[n][k];
    }
    triangle_geometry(x, middle);
    Increment<V> increment = triangle_increment(motion, middle, dt);
    if (!simd::all(of.living)) increment.keep(of.living);

    const V thickness = before.load(kThickness);
    const V offset = middle_offset(g, before, thickness);
    Laminate<V> laminate{thickness, offset, law_step<V>(of.dt), V(0)};
    if (g.stiffness_damping != 0) {
      const V free_step =
          plate_step(g, triangle_length(motion.x, middle.area), middle.area, thickness, offset);
      laminate.damping = damping_per_step(g, free_step, of.dt);
    }
    V n_failed = before.load(kFailedCount);
    Column<V> column[1] = {{increment, {}}};
    integrate_columns(g, g.n_points, point_stride(g), after.from(kFirstPoint), laminate, column, n_failed);
    const Resultants<V>& r = column[0].resultants;
    out.internal = r.work * middle.area;
    if (g.stiffness_damping != 0) out.damping = r.taken * middle.area;
    out.counts = of.living;
    out.survives = out.acts = finish_state(g, after, of.living, thickness, r.thinning, n_failed);

    TriangleGeometry<V> now;
    triangle_geometry(motion.x, now);
    triangle_forces(now, V(g.shear_factor), r, out.f, out.m);
    V step = plate_step(g, triangle_length(motion.x, now.area), now.area, thickness, offset);
    if (g.drilling > 0) {
      add_drilling_forces<V, 3>(drilling, motion.x, out.f, out.m);
      step = drilling_step<V, 3>(g, motion.x, now.area, thickness, step);
    }
    out.step = damped_step(g, step);
  }
};

/// ELFORM 4.
struct C0TriangleForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(C0Triangle());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
