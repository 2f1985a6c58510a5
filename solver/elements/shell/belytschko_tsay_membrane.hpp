// The Belytschko-Tsay membrane (ELFORM 5): the shell of belytschko_tsay.hpp without bending and transverse
// shear.
//
// Belytschko, Lin and Tsay (1984), Comput. Methods Appl. Mech. Eng. 42, 225-251: the membrane strains of eq.
// 11, on one layer in the middle surface. Nodes have no rotations here, so there are no moments. Across its
// plane an element resists by its tension alone.
//
// Of the hourglass modes, the two of bending do not exist. That of warping stays: it moves nodes out of the
// plane, and one point does not see it, not even by tension.
//
// A quadrilateral with two equal nodes is the constant strain triangle: all fields of three nodes are linear,
// so the gradients are exact and no hourglass mode is left.
#pragma once

#include "elements/shell/quad_operators.hpp"
#include "elements/shell/reference_shape.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

struct BelytschkoTsayMembrane {
  static constexpr int n_nodes = 4;
  static constexpr bool rotations = false, prefetches = true, hourglass = true, drilling = false,
                        damps = true, only_step_at_start = false;
  static int variables(const GroupParameters& g) { return membrane_variables(g); }

  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    prefetch_shell<true>(before);
  }

  template <class V>
  [[gnu::always_inline]] void operator()(const GroupParameters& g,
                                         const elements::Motion<V, 4, false>& motion, const Step<V>& of,
                                         const StateBefore<V>& before, const StateAfter<V>& after,
                                         Forces<V, 4, false>& out) const {
    const V dt(of.dt), zero(0);
    QuadGeometry<V> middle, now;
    quad_geometry_at(motion, V(0.5) * dt, middle);
    quad_geometry(motion.x, now);
    const V still[4][3] = {};
    const QuadRates<V> rates = quad_rates(motion.v, still, middle);
    Increment<V> increment = quad_increment(rates, dt);
    for (V& d : increment.curvature) d = zero;
    for (V& d : increment.shear) d = zero;
    HourglassModes<V> modes = hourglass_rates(rates, middle);
    if (!simd::all(of.living)) {
      increment.keep(of.living);
      for (V& q : modes.q) q = simd::select(of.living, q, zero);
    }

    const V thickness = before.load(kThickness);
    Laminate<V> laminate{thickness, zero, law_step<V>(of.dt), zero};
    if (g.stiffness_damping != 0) {
      const V free_step = plate_step(g, quad_length(motion.x, middle.area), middle.area, thickness, zero);
      laminate.damping = damping_per_step(g, free_step, of.dt);
    }
    V n_failed = before.load(kFailedCount), shorter(1);
    if (is_fabric(g)) shorter = give_deformation<1>(g, before, after, now, of.living);
    Column<V> column[1] = {{increment, {}}};
    integrate_columns(g, 1, point_stride(g), after.from(kFirstPoint), laminate, column, n_failed);
    const Resultants<V>& r = column[0].resultants;
    const HourglassModes<V> q = hourglass_stress(g, before, after, middle.area, thickness,
                                                 gradient_square(middle), modes, dt, out.hourglass);
    out.internal = r.work * middle.area;
    if (g.stiffness_damping != 0) out.damping = r.taken * middle.area;
    out.counts = of.living;
    out.survives = out.acts = finish_state(g, after, of.living, thickness, r.thinning, n_failed);

    const V n[3] = {now.area * r.force[0], now.area * r.force[1], now.area * r.force[2]};
    const V none[3] = {zero, zero, zero}, no_shear[2] = {zero, zero};
    V moment[4][3];
    quad_forces(now, quad_conjugates(now, n, none, no_shear, q), no_shear, q, out.f, moment);
    const V length = quad_length(motion.x, now.area);
    V step = plate_step(g, length, now.area, thickness, zero);
    if (is_fabric(g)) step = step * shorter;
    out.step = damped_step(g, step);
  }
};

struct BelytschkoTsayMembraneForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(BelytschkoTsayMembrane());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
