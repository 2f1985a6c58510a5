// The fully integrated membrane (ELFORM 9): 2 x 2 points in the plane, one layer, no bending, no hourglass
// control.
//
// The bilinear displacement field on the surface itself, warping included. In the plane of the diagonals the
// surface is z(x, y), which the hourglass field alone gives: z,x = h,x (h_I z_I) / 4. In axes that turn with
// the diagonals the strain rates are, as those of a shallow surface (Belytschko, Liu and Moran 2000, section
// 9.5, without bending),
//
//   d_xx = v_x,x + z,x v_z,x,  d_yy = v_y,y + z,y v_z,y,  2 d_xy = v_x,y + v_y,x + z,x v_z,y + z,y v_z,x
//
// and the nodal forces are conjugate to these. So a warped element resists by its tension, as ELFORM 5 does
// not; without tension it does not resist. Stresses count per projected area. In bending within the plane the
// bilinear field is too stiff; ELFORM 16 has assumed strains for that.
//
// Triangles are computed by ELFORM 5, as constant strain.
#pragma once

#include "elements/shell/quad_edges.hpp"
#include "elements/shell/quad_operators.hpp"
#include "elements/shell/reference_shape.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// One of the 2 x 2 points: Jacobian determinant, gradient of the hourglass field over 4, and slope of z.
template <class V>
struct MembranePoint {
  V j, hx, hy, zx, zy;

  MembranePoint(const QuadGeometry<V>& g, const QuadEdges<V>& edges, int i) {
    const QuadPoint<V> p = quad_point(g, edges, i);
    j = p.j;
    hx = V(0.25) * p.h_x, hy = V(0.25) * p.h_y;
    zx = hx * g.h[2], zy = hy * g.h[2];
  }

  Increment<V> increment(const Increment<V>& mean, const HourglassModes<V>& modes, V dt) const {
    const V x = dt * (modes.q[0] + zx * modes.q[4]), y = dt * (modes.q[1] + zy * modes.q[4]);
    Increment<V> d = mean;
    d.membrane[0] += hx * x;
    d.membrane[1] += hy * y;
    d.membrane[2] += hy * x + hx * y;
    return d;
  }
  /// The transpose: adds to conjugates of the mean and of the modes.
  void add(const V (&force)[3], V (&n)[3], HourglassModes<V>& modes) const {
    for (int k = 0; k < 3; ++k) n[k] += j * force[k];
    const V x = j * (hx * force[0] + hy * force[2]), y = j * (hy * force[1] + hx * force[2]);
    modes.q[0] += x;
    modes.q[1] += y;
    modes.q[4] += zx * x + zy * y;
  }
};

struct FullyIntegratedMembrane {
  static constexpr int n_nodes = 4;
  static constexpr bool rotations = false, prefetches = true, hourglass = false, drilling = false,
                        damps = true, only_step_at_start = false;
  static int variables(const GroupParameters& g) { return membrane_variables(g); }

  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    prefetch_shell<false>(before);
  }

  template <class V>
  [[gnu::always_inline]] void operator()(const GroupParameters& g,
                                         const elements::Motion<V, 4, false>& motion, const Step<V>& of,
                                         const StateBefore<V>& before, const StateAfter<V>& after,
                                         Forces<V, 4, false>& out) const {
    const V dt(of.dt), zero(0);
    QuadGeometry<V> geometry;
    quad_geometry_at(motion, V(0.5) * dt, geometry);
    QuadEdges<V> edges = quad_edges(geometry);
    const V still[4][3] = {};
    const QuadRates<V> rates = quad_rates(motion.v, still, geometry);
    Increment<V> mean = quad_increment(rates, dt);
    for (V& d : mean.curvature) d = zero;
    for (V& d : mean.shear) d = zero;
    HourglassModes<V> modes = hourglass_rates(rates, geometry);
    if (!simd::all(of.living)) {
      mean.keep(of.living);
      for (V& q : modes.q) q = simd::select(of.living, q, zero);
    }
    Column<V> columns[4];
    V jacobian[4];
    for (int i = 0; i < 4; ++i) {
      const MembranePoint<V> p(geometry, edges, i);
      jacobian[i] = p.j;
      columns[i].increment = p.increment(mean, modes, dt);
    }

    const V thickness = before.load(kThickness);
    Laminate<V> laminate{thickness, zero, law_step<V>(of.dt), zero};
    if (g.stiffness_damping != 0) {
      const V free_step = plate_step(g, quad_length(motion.x, geometry.area), geometry.area, thickness, zero);
      laminate.damping = damping_per_step(g, free_step, of.dt);
    }
    quad_geometry(motion.x, geometry);
    V n_failed = before.load(kFailedCount), shorter(1);
    if (is_fabric(g)) shorter = give_deformation<4>(g, before, after, geometry, of.living);
    integrate_columns(g, 1, point_stride(g), after.from(kFirstPoint), laminate, columns, n_failed);
    V work(0), taken(0), thinning(0);
    for (int i = 0; i < 4; ++i) {
      work += jacobian[i] * columns[i].resultants.work;
      taken += jacobian[i] * columns[i].resultants.taken;
      thinning += V(0.25) * columns[i].resultants.thinning;
    }
    out.internal = work;
    if (g.stiffness_damping != 0) out.damping = taken;
    out.counts = of.living;
    out.survives = out.acts = finish_state(g, after, of.living, thickness, thinning, n_failed);

    edges = quad_edges(geometry);
    V n[3] = {zero, zero, zero};
    HourglassModes<V> sums{{zero, zero, zero, zero, zero}};
    for (int i = 0; i < 4; ++i)
      MembranePoint<V>(geometry, edges, i).add(columns[i].resultants.force, n, sums);
    const V none[3] = {zero, zero, zero}, no_shear[2] = {zero, zero};
    V moment[4][3];
    quad_forces(geometry, quad_conjugates(geometry, n, none, no_shear, sums), no_shear, sums, out.f, moment);
    V step = plate_step(g, quad_length(motion.x, geometry.area), geometry.area, thickness, zero);
    if (is_fabric(g)) step = step * shorter;
    out.step = damped_step(g, step);
  }
};

struct FullyIntegratedMembraneForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(FullyIntegratedMembrane());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
