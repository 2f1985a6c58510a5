// The Belytschko-Tsay quadrilateral shell (ELFORM 2): one point in the plane, corotational.
//
// Belytschko, Lin and Tsay (1984), Comput. Methods Appl. Mech. Eng. 42, 225-251; warping terms of
// Belytschko, Wong and Chiang (1992), Comput. Methods Appl. Mech. Eng. 96, 93-107.
//
// Strain increments come from the geometry at mid step, so that a rigid rotation at a finite rate strains
// nothing (Hughes and Winget 1980); forces use the geometry at t_n.
#pragma once

#include "elements/shell/drilling.hpp"
#include "elements/shell/hourglass.hpp"
#include "elements/shell/lamina.hpp"
#include "elements/shell/motion.hpp"
#include "elements/shell/quad_operators.hpp"
#include "elements/shell/warping.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// W elements, whose lanes start at `lane` of block `block`.
template <class V, bool warp>
inline void belytschko_tsay_lanes(const KernelArguments<scalar_t<V>>& a, std::int32_t block, int lane) {
  const GroupParameters& g = *a.group;
  const ShellBlock<V> b(a, block, lane, 4);
  V alive = simd::load<V>(b.alive);
  const auto lives = alive > V(0);
  if (!simd::any(lives)) return;
  prefetch_shell<V, true>(a, b, block, lane);
  Motion<V, 4> motion;
  gather<V, 4>(a, b.nodes, motion);
  const V dt(a.dt);
  if (g.drilling > 0) advance_drilling(g, b, motion, dt, alive);

  // Both geometries here, so that the roots of one do not wait for those of the other.
  QuadGeometry<V> middle, now;
  quad_geometry_at(motion, V(0.5) * dt, middle);
  quad_geometry(motion.x, now);
  const V length = quad_length(motion.x, now.area);
  Directors<V> directors;
  if constexpr (warp) {
    directors = quad_directors(motion, V(0.5) * dt, middle);
    project_rotations(middle, directors, motion);
  }
  const QuadRates<V> rates = quad_rates(motion, middle);
  Increment<V> increment = quad_increment(rates, dt);
  HourglassModes<V> modes = hourglass_rates(rates, middle);
  if constexpr (warp) add_warping(directors, rates, dt, increment, modes);
  if (!simd::all(lives)) {
    increment.keep(lives);
    for (V& q : modes.q) q = simd::select(lives, q, V(0));
  }

  const V thickness = simd::load<V>(b.state + kThickness * kLanes);
  const V offset = middle_offset(g, b, thickness);
  Laminate<V> laminate{thickness, offset, law_step<V>(a.dt), V(0)};
  if (g.stiffness_damping != 0) {
    const V free_step = plate_step(g, quad_length(motion.x, middle.area), middle.area, thickness, offset);
    laminate.damping = damping_per_step(g, free_step, a.dt);
  }
  V n_failed = simd::load<V>(b.state + kFailedCount * kLanes);
  Column<V> column[1] = {{increment, {}}};
  integrate_columns(g, g.n_points, b.stride, b.state + kFirstPoint * kLanes, laminate, column, n_failed);
  const Resultants<V>& r = column[0].resultants;
  V hourglass_work;
  const HourglassModes<V> q = hourglass_stress(g, b.state + kHourglass * kLanes, middle.area, thickness,
                                               gradient_square(middle), modes, dt, hourglass_work);
  add_energy(b.energy, alive, r.work * middle.area);
  add_energy(b.energy + kLanes, alive, hourglass_work);
  if (g.stiffness_damping != 0) add_energy(b.energy + 2 * kLanes, alive, r.taken * middle.area);
  alive = finish_state(g, b, alive, thickness, r.thinning, n_failed);

  V force[4][3], moment[4][3];
  const V ka = V(g.shear_factor) * now.area;
  const V n[3] = {now.area * r.force[0], now.area * r.force[1], now.area * r.force[2]};
  const V m[3] = {now.area * r.moment[0], now.area * r.moment[1], now.area * r.moment[2]};
  const V s[2] = {ka * r.shear[0], ka * r.shear[1]};
  QuadConjugates<V> conjugates = quad_conjugates(now, n, m, s, q);
  if constexpr (warp) {
    directors = quad_directors(motion, V(0), now);
    add_warping_conjugates(directors, m, s, q, conjugates);
  }
  quad_forces(now, conjugates, s, q, force, moment);
  if constexpr (warp) project_moments(now, directors, moment);
  V step = plate_step(g, length, now.area, thickness, offset);
  if (g.drilling > 0) {
    add_drilling_forces<V, 4>(b.drilling, motion.x, force, moment);
    step = drilling_step<V, 4>(g, motion.x, now.area, thickness, step);
  }
  scatter<V, 4>(a, b.nodes, alive, force, moment);
  store_alive(b.stable_step, alive, damped_step(g, step));
}

template <class V>
void belytschko_tsay(const KernelArguments<scalar_t<V>>& a) {
  if (a.group->bwc == 1) {
    for_all_lanes<V>(a, belytschko_tsay_lanes<V, true>);
  } else {
    for_all_lanes<V>(a, belytschko_tsay_lanes<V, false>);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
