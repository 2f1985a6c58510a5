// The fully integrated quadrilateral shell (ELFORM 16, -16): 2 x 2 points in the plane, assumed strains.
//
// Uses the frame and the centre gradients of the Belytschko-Tsay shell, as Engelmann, Whirley and Goudreau
// (1989), "A simple shell element formulation for large-scale elastoplastic analysis". The bilinear
// interpolation splits exactly into a linear part and the hourglass field h = xi eta (Belytschko and Bachrach
// 1986), f = linear + h gamma_I f_I, and the parts that lock are replaced:
//   membrane: e_xx += h,x q_x - nu h,y q_y; e_yy += h,y q_y - nu h,x q_x; shear constant, which is exact in
//     elastic bending in the plane (Belytschko and Bindeman 1991, ASQBI);
//   transverse shear: covariant shears at the middles of the edges (Dvorkin and Bathe 1984);
//   bending: the full bilinear field.
// Points are numbered p = in_plane * NIP + layer, in_plane 0 to 3 at (-,-) (+,-) (+,+) (-,+) / sqrt(3).
#pragma once

#include "elements/shell/drilling.hpp"
#include "elements/shell/quad_edges.hpp"
#include "elements/shell/quad_operators.hpp"
#include "elements/shell/warping.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Rows of the covariant transverse shears at the middles of sides 1-2, 2-3, 4-3, 1-4, before the factor
/// 1/2: the velocity of node to[s] minus that of from[s], times `director`, and the rotations of both ends.
///
/// On a flat element the director is e3. With warping it is the mean of the ends' normals p, and the shear
/// dv.p + dx.(w x p) is zero in a rigid rotation (the degenerated shell of Dvorkin and Bathe 1984).
template <class V>
struct EdgeShears {
  static constexpr int from[4] = {0, 1, 3, 0}, to[4] = {1, 2, 2, 3};
  V director[4][3], turn[4][2][2];  ///< global; [side][end][about local x, y]

  EdgeShears(const QuadGeometry<V>& g, const QuadEdges<V>& e) {
    for (int s = 0; s < 4; ++s) {
      for (int k = 0; k < 3; ++k) director[s][k] = g.frame.e[2][k];
      for (int end = 0; end < 2; ++end) turn[s][end][0] = -e.edge[s][1], turn[s][end][1] = e.edge[s][0];
    }
  }
  EdgeShears(const QuadGeometry<V>& g, const QuadEdges<V>& e, const Directors<V>& d) : EdgeShears(g, e) {
    for (int s = 0; s < 4; ++s) {
      const int ends[2] = {from[s], to[s]};
      const V rise = V(s == 0 || s == 3 ? -0.25 : 0.25) * g.h[2];  // half of the side's z difference
      V p[2];
      for (int c = 0; c < 2; ++c) p[c] = V(0.5) * (d.p[ends[0]][c] + d.p[ends[1]][c]);
      for (int k = 0; k < 3; ++k) director[s][k] += p[0] * g.frame.e[0][k] + p[1] * g.frame.e[1][k];
      for (int end = 0; end < 2; ++end) {
        turn[s][end][0] += rise * d.p[ends[end]][1];
        turn[s][end][1] -= rise * d.p[ends[end]][0];
      }
    }
  }

  /// Shear rates of velocities v and angular velocities `spin`.
  void rates(const V (&v)[4][3], const V (&spin)[4][3], const QuadGeometry<V>& g, V (&shear)[4]) const {
    V w[4][2];
    for (int n = 0; n < 4; ++n)
      for (int k = 0; k < 2; ++k) w[n][k] = dot(g.frame.e[k], spin[n]);
    for (int s = 0; s < 4; ++s) {
      const int i = from[s], j = to[s];
      V sum = w[i][0] * turn[s][0][0] + w[i][1] * turn[s][0][1] + w[j][0] * turn[s][1][0] +
              w[j][1] * turn[s][1][1];
      for (int k = 0; k < 3; ++k) sum += (v[j][k] - v[i][k]) * director[s][k];
      shear[s] = V(0.5) * sum;
    }
  }

  /// Add nodal forces and moments (global) of the conjugates of the shears.
  void add_forces(const QuadGeometry<V>& g, const V (&conjugate)[4], V (&force)[4][3],
                  V (&moment)[4][3]) const {
    for (int s = 0; s < 4; ++s) {
      const V c = V(0.5) * conjugate[s];
      const int ends[2] = {from[s], to[s]};
      for (int k = 0; k < 3; ++k) {
        force[to[s]][k] += c * director[s][k];
        force[from[s]][k] -= c * director[s][k];
        for (int end = 0; end < 2; ++end)
          moment[ends[end]][k] += c * (turn[s][end][0] * g.frame.e[0][k] + turn[s][end][1] * g.frame.e[1][k]);
      }
    }
  }
};

/// Strain increments of one in-plane point. `mean` is the increment at the centre (its shear is not used).
template <class V>
inline Increment<V> point_increment(const QuadPoint<V>& p, const Increment<V>& mean,
                                    const HourglassModes<V>& modes, const V (&edge)[4], V poisson, V dt) {
  const V(&q)[5] = modes.q;
  const V quarter(0.25), half(0.5);
  const V hx = quarter * dt * p.h_x, hy = quarter * dt * p.h_y;  // gamma is four times that of the papers
  Increment<V> d = mean;
  d.membrane[0] += hx * q[0] - poisson * hy * q[1];
  d.membrane[1] += hy * q[1] - poisson * hx * q[0];
  d.curvature[0] += hx * q[3];
  d.curvature[1] -= hy * q[2];
  d.curvature[2] += hy * q[3] - hx * q[2];
  const V xi(p.xi), eta(p.eta);
  const V along_xi = half * dt * ((V(1) - eta) * edge[0] + (V(1) + eta) * edge[2]);
  const V along_eta = half * dt * ((V(1) - xi) * edge[3] + (V(1) + xi) * edge[1]);
  d.shear[0] = p.xi_y * along_xi + p.eta_y * along_eta;
  d.shear[1] = p.xi_x * along_xi + p.eta_x * along_eta;
  return d;
}

/// Sums over the in-plane points from which nodal forces follow.
template <class V>
struct FullForces {
  V n[3] = {V(0), V(0), V(0)}, m[3] = {V(0), V(0), V(0)};
  HourglassModes<V> modes{{V(0), V(0), V(0), V(0), V(0)}};
  V edge[4] = {V(0), V(0), V(0), V(0)};
  V shear[2] = {V(0), V(0)};  ///< of the centre, where the strains use it

  /// The transpose of `point_increment`.
  void add(const QuadPoint<V>& p, const Resultants<V>& r, V poisson, V kappa) {
    for (int k = 0; k < 3; ++k) {
      n[k] += p.j * r.force[k];
      m[k] += p.j * r.moment[k];
    }
    const V hx = V(0.25) * p.j * p.h_x, hy = V(0.25) * p.j * p.h_y;
    modes.q[0] += hx * (r.force[0] - poisson * r.force[1]);
    modes.q[1] += hy * (r.force[1] - poisson * r.force[0]);
    modes.q[2] -= hy * r.moment[1] + hx * r.moment[2];
    modes.q[3] += hx * r.moment[0] + hy * r.moment[2];
    const V scale = V(0.5) * kappa * p.j, xi(p.xi), eta(p.eta);
    const V along_xi = scale * (p.xi_y * r.shear[0] + p.xi_x * r.shear[1]);
    const V along_eta = scale * (p.eta_y * r.shear[0] + p.eta_x * r.shear[1]);
    edge[0] += (V(1) - eta) * along_xi;
    edge[2] += (V(1) + eta) * along_xi;
    edge[3] += (V(1) - xi) * along_eta;
    edge[1] += (V(1) + xi) * along_eta;
  }
};

/// Rates of the element, and of its hourglass fields, at mid step.
template <class V>
struct FullRates {
  Increment<V> mean;
  HourglassModes<V> modes;
  V edge[4];

  void keep(simd::mask_t<V> where) {
    mean.keep(where);
    for (V& q : modes.q) q = simd::select(where, q, V(0));
    for (V& s : edge) s = simd::select(where, s, V(0));
  }
};

/// The strains of ELFORM 16. Others have the same interface (selective_strains.hpp, kirchhoff_strains.hpp).
struct AssumedStrains {
  static constexpr bool centre_shear = false;   ///< transverse shear is that of the centre, not of the edges
  static constexpr bool holds_warping = false;  ///< the warping mode has a stiffness of its own

  template <class V>
  static Increment<V> increment(const QuadPoint<V>& p, const QuadEdges<V>&, const FullRates<V>& rates,
                                V poisson, V dt) {
    return point_increment(p, rates.mean, rates.modes, rates.edge, poisson, dt);
  }
  /// The transpose.
  template <class V>
  static void add(const QuadPoint<V>& p, const QuadEdges<V>&, const Resultants<V>& r, V poisson, V kappa,
                  FullForces<V>& sum) {
    sum.add(p, r, poisson, kappa);
  }
};

/// Sums over the four columns.
template <class V>
struct ColumnSums {
  V work = V(0), taken = V(0), thinning = V(0);
};

/// Strain increments of the columns at the four points of the middle surface.
template <class Strains, class V>
inline void strain_columns(const QuadGeometry<V>& middle, const QuadEdges<V>& edges,
                           const FullRates<V>& rates, V poisson, V dt, V (&jacobian)[4],
                           Column<V> (&columns)[4]) {
  for (int i = 0; i < 4; ++i) {
    const QuadPoint<V> p = quad_point(middle, edges, i);
    jacobian[i] = p.j;
    columns[i].increment = Strains::increment(p, edges, rates, poisson, dt);
  }
}

template <class V>
inline ColumnSums<V> sum_of(const Column<V> (&columns)[4], const V (&jacobian)[4]) {
  ColumnSums<V> sum;
  for (int i = 0; i < 4; ++i) {
    const Resultants<V>& r = columns[i].resultants;
    sum.work += jacobian[i] * r.work;
    sum.taken += jacobian[i] * r.taken;
    sum.thinning += V(0.25) * r.thinning;
  }
  return sum;
}

template <bool warp, class Strains = AssumedStrains>
struct FullyIntegrated : QuadShell {
  static constexpr bool hourglass = Strains::holds_warping;

  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    prefetch_shell<Strains::holds_warping>(before);
  }

  template <class V>
  [[gnu::always_inline]] void operator()(const GroupParameters& g, const Motion<V, 4>& motion,
                                         const Step<V>& of, const StateBefore<V>& before,
                                         const StateAfter<V>& after, Forces<V, 4, true>& out) const {
    const V dt(of.dt), poisson(g.poisson);
    V drilling[4];
    if (g.drilling > 0)
      out.drilling = advance_drilling<V, 4>(g, before, after, motion, dt, of.living, drilling);

    QuadGeometry<V> geometry;
    quad_geometry_at(motion, V(0.5) * dt, geometry);
    QuadEdges<V> edges = quad_edges(geometry);
    Directors<V> directors;
    FullRates<V> rates;
    if constexpr (warp) {
      V turning[4][3];
      directors = quad_directors(motion, V(0.5) * dt, geometry);
      project_rotations(geometry, directors, motion.w, turning);
      const QuadRates<V> centre = quad_rates(motion.v, turning, geometry);
      rates = {quad_increment(centre, dt), hourglass_rates(centre, geometry), {}};
      add_warping(directors, centre, dt, rates.mean, rates.modes);
      EdgeShears<V>(geometry, edges, directors).rates(motion.v, turning, geometry, rates.edge);
    } else {
      const QuadRates<V> centre = quad_rates(motion.v, motion.w, geometry);
      rates = {quad_increment(centre, dt), hourglass_rates(centre, geometry), {}};
      EdgeShears<V>(geometry, edges).rates(motion.v, motion.w, geometry, rates.edge);
    }
    if (!simd::all(of.living)) rates.keep(of.living);

    const V thickness = before.load(kThickness);
    const V offset = middle_offset(g, before, thickness);
    Laminate<V> laminate{thickness, offset, law_step<V>(of.dt), V(0)};
    if (g.stiffness_damping != 0) {
      const V free_step =
          plate_step(g, quad_length(motion.x, geometry.area), geometry.area, thickness, offset);
      laminate.damping = damping_per_step(g, free_step, of.dt);
    }
    V n_failed = before.load(kFailedCount);
    Column<V> columns[4];
    V jacobian[4];
    strain_columns<Strains>(geometry, edges, rates, poisson, dt, jacobian, columns);
    integrate_columns(g, g.n_points / 4, point_stride(g), after.from(kFirstPoint), laminate, columns,
                      n_failed);
    const ColumnSums<V> sums = sum_of(columns, jacobian);
    out.internal = sums.work;
    if (g.stiffness_damping != 0) out.damping = sums.taken;
    out.counts = of.living;
    out.survives = out.acts = finish_state(g, after, of.living, thickness, sums.thinning, n_failed);
    [[maybe_unused]] V held(0);
    if constexpr (Strains::holds_warping)
      held = Strains::hold_warping(g, before, after, geometry, thickness, rates.modes, dt, out.hourglass);

    quad_geometry(motion.x, geometry);
    edges = quad_edges(geometry);
    FullForces<V> sum;
    for (int i = 0; i < 4; ++i)
      Strains::add(quad_point(geometry, edges, i), edges, columns[i].resultants, poisson, V(g.shear_factor),
                   sum);
    if constexpr (Strains::holds_warping) sum.modes.q[4] = held;
    V shear[2] = {V(0), V(0)};
    if constexpr (Strains::centre_shear) shear[0] = sum.shear[0], shear[1] = sum.shear[1];
    QuadConjugates<V> conjugates = quad_conjugates(geometry, sum.n, sum.m, shear, sum.modes);
    if constexpr (warp) {
      directors = quad_directors(motion, V(0), geometry);
      add_warping_conjugates(directors, sum.m, shear, sum.modes, conjugates);
      quad_forces(geometry, conjugates, shear, sum.modes, out.f, out.m);
      if constexpr (!Strains::centre_shear)
        EdgeShears<V>(geometry, edges, directors).add_forces(geometry, sum.edge, out.f, out.m);
      project_moments(geometry, directors, out.m);
    } else {
      quad_forces(geometry, conjugates, shear, sum.modes, out.f, out.m);
      if constexpr (!Strains::centre_shear)
        EdgeShears<V>(geometry, edges).add_forces(geometry, sum.edge, out.f, out.m);
    }
    V step = plate_step(g, quad_length(motion.x, geometry.area), geometry.area, thickness, offset);
    if (g.drilling > 0) {
      add_drilling_forces<V, 4>(drilling, motion.x, out.f, out.m);
      step = drilling_step<V, 4>(g, motion.x, geometry.area, thickness, step);
    }
    out.step = damped_step(g, step);
  }
};

/// ELFORM 16 and -16.
struct FullyIntegratedForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters& g, Run run) {
    constexpr int kWarpingStiffness = 8;  // hourglass type; ELFORM -16 always has it
    g.hourglass.type == kWarpingStiffness ? run(FullyIntegrated<true>()) : run(FullyIntegrated<false>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
