// Belytschko-Schwer beams with integrated cross-sections (ELFORM 4; 5: tubular): stresses at the points of
// three sections along the axis.
//
// Deformations are those of ELFORM 2 (Belytschko, Schwer and Klein 1977, "Large displacement, transient
// analysis of space frames"): the stretch, the twist and the rotations a_1, a_2 of both ends against the line
// between them, with the cubic deflection of a beam without transverse shear. With x from 0 to 1 the
// curvature is
//   k(x) = ((6 x - 4) a_1 + (6 x - 2) a_2) / L,
// and the strains of a point of a section, which stays plane and normal to the axis, are
//   d_rr = stretch / L + t k_s - s k_t,   2 d_rs = -t twist / L,   2 d_rt = s twist / L.
// End moments are conjugate to the rotations, m_a = int M(x) L dk/da_a dx. The sections are those of
// Lobatto's rule, both ends (weight 1/6) and the middle (2/3): exact for elastic bending, where m_a are those
// of the slope-deflection equations, and a plastic hinge of a clamped or joined end begins at the end itself,
// with the full plastic moment of the section. LS-DYNA does not publish where its sections are.
#pragma once

#include "elements/beam/belytschko_schwer.hpp"
#include "elements/beam/hughes_liu.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Deformations of a step.
template <class V>
struct EndRotations {
  V stretch, twist;
  V s[2], t[2];  ///< of both ends about s and t, against the line between them

  EndRotations(const BeamMotion<V>& m, V dt)
      : stretch(dt * m.stretch[0]), twist(dt * (m.spin[1][0] - m.spin[0][0])) {
    for (int a = 0; a < 2; ++a) {
      s[a] = dt * (m.spin[a][1] + m.stretch[2] / m.mid_length);
      t[a] = dt * (m.spin[a][2] - m.stretch[1] / m.mid_length);
    }
  }
};

/// Forces conjugate to them.
template <class V>
struct EndForces {
  V axial, torsion;
  V s[2], t[2];

  V power(const EndRotations<V>& d) const {
    return axial * d.stretch + torsion * d.twist + s[0] * d.s[0] + s[1] * d.s[1] + t[0] * d.t[0] +
           t[1] * d.t[1];
  }
  /// Nodal forces in the end frame, at node 2, and moments of both nodes.
  void at_nodes(V length, V (&force)[3], V (&moments)[2][3]) const {
    force[0] = axial;
    force[1] = V(0) - (t[0] + t[1]) / length;
    force[2] = (s[0] + s[1]) / length;
    for (int a = 0; a < 2; ++a) {
      moments[a][0] = a == 0 ? V(0) - torsion : torsion;
      moments[a][1] = s[a];
      moments[a][2] = t[a];
    }
  }
};

struct IntegratedBelytschkoSchwer : Beam {
  static constexpr bool rotations = true;
  static constexpr int kEnds = 4;  ///< variables after the points: moments about s at both ends, then about t
  const beam::CrossSection section;

  static int variables(const GroupParameters& group) { return beam::extra_offset(group) + kEnds; }

  template <class V>
  static V constant(double c) {
    return V(static_cast<simd::scalar_t<V>>(c));
  }

  BeamStiffness stiffness(const GroupParameters& group) const {
    const double inertia = section.largest();
    return {.axial = group.young * section.total_area,
            .bending = group.young * inertia,
            .torsion = group.shear * (section.i_ss + section.i_tt),
            .antisymmetric = 12 * group.young * inertia,
            .inertia = inertia,
            .area = section.total_area};
  }

  /// Update the points of one section with their strains and add its forces to `sum`; `near` and `far` are
  /// L dk/da of both ends.
  template <class V>
  void update_station(const GroupParameters& group, simd::scalar_t<V>* points, int station,
                      const EndRotations<V>& d, V length, V dt, EndForces<V>& sum, V& n_failed) const {
    const V zero = constant<V>(0), one = constant<V>(1);
    const double x = beam::kStationPlaces[station];
    const V near = constant<V>(6 * x - 4), far = constant<V>(6 * x - 2), inverse = one / length;
    const V strain = inverse * d.stretch, twist = inverse * d.twist;
    const V about_s = inverse * (near * d.s[0] + far * d.s[1]);
    const V about_t = inverse * (near * d.t[0] + far * d.t[1]);
    SectionForces<V> forces{zero, zero, zero, zero, zero, zero, {}};
    const int stride = beam::point_stride(group) * kLanes;
    for (int p = 0; p < section.n; ++p) {
      const V s = constant<V>(section.s[p]), t = constant<V>(section.t[p]);
      const V e[3] = {strain + t * about_s - s * about_t, zero - t * twist, s * twist};
      SectionPoint<V> point;
      update_section_point(group, points + (station * section.n + p) * stride, e, dt, point);
      forces.add(point.stress, s, t, constant<V>(section.area[p]), one);
      n_failed += simd::select(point.failed, one, zero);
    }
    const V weight = constant<V>(beam::kStationWeights[station]);
    sum.axial += weight * forces.axial;
    sum.torsion += weight * forces.torsion;
    sum.s[0] += weight * near * forces.moment_s;
    sum.s[1] += weight * far * forces.moment_s;
    sum.t[0] += weight * near * forces.moment_t;
    sum.t[1] += weight * far * forces.moment_t;
  }

  /// Viscous forces of stiffness damping: the elastic ones of the step times `damping`.
  template <class V>
  EndForces<V> viscous(const GroupParameters& group, const EndRotations<V>& d, V length0, V damping) const {
    const V zero = constant<V>(0);
    EndForces<V> f{damping * constant<V>(group.young * section.total_area) / length0 * d.stretch,
                   damping * constant<V>(group.shear * (section.i_ss + section.i_tt)) / length0 * d.twist,
                   {zero, zero},
                   {zero, zero}};
    add_end_moments(group.young * section.i_ss, 0, length0, d.s, f.s);
    add_end_moments(group.young * section.i_tt, 0, length0, d.t, f.t);
    for (int a = 0; a < 2; ++a) f.s[a] *= damping, f.t[a] *= damping;
    return f;
  }

  template <class V>
  static EndForces<V> forces_before(const StateBefore<V>& before, int ends) {
    return {before.load(beam::kResultants),
            before.load(beam::kResultants + 5),
            {before.load(ends), before.load(ends + 1)},
            {before.load(ends + 2), before.load(ends + 3)}};
  }

  /// Results show the moments at the middle, with the sign of node 2.
  template <class V>
  static void store_forces(const StateAfter<V>& after, int ends, const EndForces<V>& f, V length) {
    V force[3], moments[2][3];
    f.at_nodes(length, force, moments);
    const V half = constant<V>(0.5);
    const V shown[6] = {f.axial,  force[1], force[2], half * (f.s[1] - f.s[0]), half * (f.t[1] - f.t[0]),
                        f.torsion};
    for (int k = 0; k < 6; ++k) after.store(beam::kResultants + k, shown[k]);
    for (int a = 0; a < 2; ++a) {
      after.store(ends + a, f.s[a]);
      after.store(ends + 2 + a, f.t[a]);
    }
  }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 2, true>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 2, true>& out) const {
    const V dt = constant<V>(of.dt), zero = constant<V>(0);
    BeamMotion<V> m;
    move_frame(group, motion, of, before, after, m);
    const V length0 = before.load(beam::kLength0);
    const V step =
        simd::select(m.length > zero, beam_stable_step(group, stiffness(group), length0, m.length), zero);
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    const int ends = beam::extra_offset(group);
    const EndRotations<V> d(m, dt);
    const EndForces<V> old = forces_before(before, ends);
    EndForces<V> now{zero, zero, {zero, zero}, {zero, zero}};
    V n_failed = zero;
    auto* const points = after.from(beam::kPoints);
    for (int station = 0; station < beam::kStations; ++station)
      update_station(group, points, station, d, m.mid_length, dt, now, n_failed);
    store_forces(after, ends, now, m.length);
    out.internal = constant<V>(0.5) * (old.power(d) + now.power(d));

    EndForces<V> carried = now;
    if (group.stiffness_damping != 0) {
      const EndForces<V> more = viscous(group, d, length0, damping_per_step(group, step, of.dt));
      out.damping = more.power(d);
      carried.axial += more.axial;
      carried.torsion += more.torsion;
      for (int a = 0; a < 2; ++a) carried.s[a] += more.s[a], carried.t[a] += more.t[a];
    }
    V force[3], moments[2][3];
    carried.at_nodes(m.length, force, moments);
    set_beam_forces(m.end, force, moments, out);
    const auto failed =
        enough_failed(group, n_failed, points + beam::kHistory * kLanes, beam::point_stride(group));
    out.survives = out.acts = of.living && !failed;
    out.counts = of.living;
  }
};

/// ELFORM 4 and 5.
struct IntegratedBelytschkoSchwerForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    run(IntegratedBelytschkoSchwer{{}, beam::cross_section(*group.section)});
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
