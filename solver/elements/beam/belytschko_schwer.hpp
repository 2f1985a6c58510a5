// Belytschko-Schwer and Timoshenko beams (ELFORM 2, 13): elastic resultants in a frame that moves with the
// beam.
//
// Deformations are the stretch, the twist and the rotations of both ends against the line between them
// (Belytschko, Schwer and Klein 1977, "Large displacement, transient analysis of space frames"). The end
// moments follow from the slope-deflection equations, m_1 = E I / ((1 + phi) L) ((4 + phi) a_1 + (2 - phi)
// a_2), with phi = 12 E I / (G A_s L^2) where the section has a shear area A_s (Timoshenko beam,
// Przemieniecki 1968), 0 without.
#pragma once

#include "elements/beam/frame.hpp"
#include "elements/beam/stable_step.hpp"
#include "elements/stiffness_damping.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Increments of both end moments for increments of both end rotations.
template <class V>
void add_end_moments(double bending, double shear_stiffness, V length0, const V (&angle)[2], V (&moment)[2]) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const V phi =
      shear_stiffness > 0 ? constant(12 * bending / shear_stiffness) / (length0 * length0) : constant(0);
  const V stiffness = constant(bending) / ((constant(1) + phi) * length0);
  const V near = stiffness * (constant(4) + phi), far = stiffness * (constant(2) - phi);
  moment[0] += near * angle[0] + far * angle[1];
  moment[1] += near * angle[1] + far * angle[0];
}

struct BelytschkoSchwer : Beam {
  static constexpr bool rotations = true;
  /// After the variables of every beam: moments about s at both ends, then about t.
  static int variables(const GroupParameters& group) { return beam::extra_offset(group) + 4; }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 2, true>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 2, true>& out) const {
    using T = simd::scalar_t<V>;
    using namespace beam;
    const model::Section& section = *group.section;
    const int ends = extra_offset(group);
    const auto constant = [](double c) { return V(static_cast<T>(c)); };
    const V dt = constant(of.dt), half = constant(0.5), zero = constant(0);

    BeamMotion<V> m;
    move_frame(group, motion, of, before, after, m);
    const double inertia = std::max(section.iss, section.itt);
    const double torsion_constant = section.j > 0 ? section.j : section.iss + section.itt;
    const BeamStiffness stiffness{.axial = group.young * section.area,
                                  .bending = group.young * inertia,
                                  .torsion = group.shear * torsion_constant,
                                  .antisymmetric = 12 * group.young * inertia,
                                  .inertia = inertia,
                                  .area = section.area};
    const V length0 = before.load(kLength0);
    const V step = simd::select(m.length > zero, beam_stable_step(group, stiffness, length0, m.length), zero);
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    // Rotations of the ends against the line between them.
    V about_s[2], about_t[2], moment_s[2], moment_t[2];
    V work = zero;
    for (int a = 0; a < 2; ++a) {
      about_s[a] = dt * (m.spin[a][1] + m.stretch[2] / m.mid_length);
      about_t[a] = dt * (m.spin[a][2] - m.stretch[1] / m.mid_length);
      moment_s[a] = before.load(ends + a);
      moment_t[a] = before.load(ends + 2 + a);
      work += moment_s[a] * about_s[a] + moment_t[a] * about_t[a];
    }
    const double shear = group.shear * section.shear_area;
    add_end_moments(group.young * section.iss, shear, length0, about_s, moment_s);
    add_end_moments(group.young * section.itt, shear, length0, about_t, moment_t);
    const V stretch = dt * m.stretch[0], twist = dt * (m.spin[1][0] - m.spin[0][0]);
    const V old_axial = before.load(kResultants), old_torsion = before.load(kResultants + 5);
    const V axial = old_axial + constant(group.young * section.area) / length0 * stretch;
    const V torsion = old_torsion + constant(group.shear * torsion_constant) / length0 * twist;
    work += (old_axial + axial) * stretch + (old_torsion + torsion) * twist;
    for (int a = 0; a < 2; ++a) {
      work += moment_s[a] * about_s[a] + moment_t[a] * about_t[a];
      after.store(ends + a, moment_s[a]);
      after.store(ends + 2 + a, moment_t[a]);
    }

    // Results show the moments at the middle, with the sign of node 2.
    const V shown[6] = {axial,
                        -(moment_t[0] + moment_t[1]) / m.length,
                        (moment_s[0] + moment_s[1]) / m.length,
                        half * (moment_s[1] - moment_s[0]),
                        half * (moment_t[1] - moment_t[0]),
                        torsion};
    for (int k = 0; k < 6; ++k) after.store(kResultants + k, shown[k]);
    after.store(kPoints, axial / constant(section.area));

    V pull = axial, turn = torsion;
    if (group.stiffness_damping != 0) {
      // Viscous forces: the same stiffnesses times rates.
      const V damping = damping_per_step(group, step, of.dt);
      V viscous_s[2] = {zero, zero}, viscous_t[2] = {zero, zero};
      add_end_moments(group.young * section.iss, shear, length0, about_s, viscous_s);
      add_end_moments(group.young * section.itt, shear, length0, about_t, viscous_t);
      const V viscous_pull = damping * constant(group.young * section.area) / length0 * stretch;
      const V viscous_turn = damping * constant(group.shear * torsion_constant) / length0 * twist;
      V taken = viscous_pull * stretch + viscous_turn * twist;
      for (int a = 0; a < 2; ++a) {
        taken += damping * (viscous_s[a] * about_s[a] + viscous_t[a] * about_t[a]);
        moment_s[a] += damping * viscous_s[a];
        moment_t[a] += damping * viscous_t[a];
      }
      pull += viscous_pull;
      turn += viscous_turn;
      out.damping = taken;
    }
    const V force[3] = {pull, -(moment_t[0] + moment_t[1]) / m.length,
                        (moment_s[0] + moment_s[1]) / m.length};
    const V moments[2][3] = {{-turn, moment_s[0], moment_t[0]}, {turn, moment_s[1], moment_t[1]}};
    set_beam_forces(m.end, force, moments, out);
    out.survives = out.acts = out.counts = of.living;
    out.internal = half * work;
  }
};

/// ELFORM 2 and 13.
struct BelytschkoSchwerForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(BelytschkoSchwer());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
