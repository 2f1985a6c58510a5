// The Belytschko-Tsay quadrilateral shell (ELFORM 2): one point in the plane, corotational.
//
// Belytschko, Lin and Tsay (1984), Comput. Methods Appl. Mech. Eng. 42, 225-251; warping terms of
// Belytschko, Wong and Chiang (1992), Comput. Methods Appl. Mech. Eng. 96, 93-107.
//
// Strain increments come from the geometry at mid step, so that a rigid rotation at a finite rate gives no
// strain (Hughes and Winget 1980); forces use the geometry at t_n.
#pragma once

#include "elements/element.hpp"
#include "elements/shell/drilling.hpp"
#include "elements/shell/hourglass.hpp"
#include "elements/shell/lamina.hpp"
#include "elements/shell/motion.hpp"
#include "elements/shell/quad_operators.hpp"
#include "elements/shell/warping.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

template <bool warp>
struct BelytschkoTsay : QuadShell {
  static constexpr bool hourglass = true;

  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    prefetch_shell<true>(before);
  }

  template <class V>
  [[gnu::always_inline]] void operator()(const GroupParameters& g, const Motion<V, 4>& motion,
                                         const Step<V>& of, const StateBefore<V>& before,
                                         const StateAfter<V>& after, Forces<V, 4, true>& out) const {
    const V dt(of.dt);
    V drilling[4];
    if (g.drilling > 0)
      out.drilling = advance_drilling<V, 4>(g, before, after, motion, dt, of.living, drilling);

    // Both geometries are computed together, so that the roots of one do not wait for those of the other.
    QuadGeometry<V> middle, now;
    quad_geometry_at(motion, V(0.5) * dt, middle);
    quad_geometry(motion.x, now);
    const V length = quad_length(motion.x, now.area);
    Directors<V> directors;
    QuadRates<V> rates;
    if constexpr (warp) {
      V turning[4][3];
      directors = quad_directors(motion, V(0.5) * dt, middle);
      project_rotations(middle, directors, motion.w, turning);
      rates = quad_rates(motion.v, turning, middle);
    } else {
      rates = quad_rates(motion.v, motion.w, middle);
    }
    Increment<V> increment = quad_increment(rates, dt);
    HourglassModes<V> modes = hourglass_rates(rates, middle);
    if constexpr (warp) add_warping(directors, rates, dt, increment, modes);
    if (!simd::all(of.living)) {
      increment.keep(of.living);
      for (V& q : modes.q) q = simd::select(of.living, q, V(0));
    }

    const V thickness = before.load(kThickness);
    const V offset = middle_offset(g, before, thickness);
    Laminate<V> laminate{thickness, offset, law_step<V>(of.dt), V(0)};
    if (g.stiffness_damping != 0) {
      const V free_step = plate_step(g, quad_length(motion.x, middle.area), middle.area, thickness, offset);
      laminate.damping = damping_per_step(g, free_step, of.dt);
    }
    V n_failed = before.load(kFailedCount);
    Column<V> column[1] = {{increment, {}}};
    integrate_columns(g, g.n_points, point_stride(g), after.from(kFirstPoint), laminate, column, n_failed);
    const Resultants<V>& r = column[0].resultants;
    const HourglassModes<V> q = hourglass_stress(g, before, after, middle.area, thickness,
                                                 gradient_square(middle), modes, dt, out.hourglass);
    out.internal = r.work * middle.area;
    if (g.stiffness_damping != 0) out.damping = r.taken * middle.area;
    out.counts = of.living;
    out.survives = out.acts = finish_state(g, after, of.living, thickness, r.thinning, n_failed);

    const V ka = V(g.shear_factor) * now.area;
    const V n[3] = {now.area * r.force[0], now.area * r.force[1], now.area * r.force[2]};
    const V m[3] = {now.area * r.moment[0], now.area * r.moment[1], now.area * r.moment[2]};
    const V s[2] = {ka * r.shear[0], ka * r.shear[1]};
    QuadConjugates<V> conjugates = quad_conjugates(now, n, m, s, q);
    if constexpr (warp) {
      directors = quad_directors(motion, V(0), now);
      add_warping_conjugates(directors, m, s, q, conjugates);
    }
    quad_forces(now, conjugates, s, q, out.f, out.m);
    if constexpr (warp) project_moments(now, directors, out.m);
    V step = plate_step(g, length, now.area, thickness, offset);
    if (g.drilling > 0) {
      add_drilling_forces<V, 4>(drilling, motion.x, out.f, out.m);
      step = drilling_step<V, 4>(g, motion.x, now.area, thickness, step);
    }
    out.step = damped_step(g, step);
  }
};

/// ELFORM 2, and 10 with warping terms.
struct BelytschkoTsayForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters& g, Run run) {
    g.bwc == 1 ? run(BelytschkoTsay<true>()) : run(BelytschkoTsay<false>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
