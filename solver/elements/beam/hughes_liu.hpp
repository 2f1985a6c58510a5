// Hughes-Liu beam (ELFORM 1): one point along the axis, stresses at points of the cross-section.
//
// The degenerated solid of Hughes and Liu (1981, "Nonlinear finite element analysis of shells", part II
// for beams) with plane sections that do not change shape: v(s, t) = v + w x (s e_s + t e_t). At the middle
// of the beam, with D the difference and w the mean of the nodes' values,
//   d_rr  = (Dv_r + t Dw_s - s Dw_t) / L
//   2 d_rs = Dv_s / L - w_t - t Dw_r / L
//   2 d_rt = Dv_t / L + w_s + s Dw_r / L
// One point along the axis keeps shear from locking. Nodal forces follow from virtual power. The shear
// factor scales the shear forces, not the torsion.
#pragma once

#include "elements/beam/cross_section.hpp"
#include "elements/beam/frame.hpp"
#include "elements/beam/preload.hpp"
#include "elements/beam/section_point.hpp"
#include "elements/beam/stable_step.hpp"
#include "elements/failed_points.hpp"
#include "elements/stiffness_damping.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Resultants over the cross-section.
template <class V>
struct SectionForces {
  V axial, shear_s, shear_t, moment_s, moment_t, torsion;
  simd::mask_t<V> failed;

  /// Add the stresses xx, xy, zx of a point with its area.
  void add(const V (&stress)[3], V s, V t, V area, V shear_factor) {
    axial += area * stress[0];
    shear_s += shear_factor * area * stress[1];
    shear_t += shear_factor * area * stress[2];
    moment_s += area * t * stress[0];
    moment_t -= area * s * stress[0];
    torsion += area * (s * stress[2] - t * stress[1]);
  }
};

/// Update all points with the generalised strain increments of the step: at the axis (3) and their gradients
/// (3). `viscous` are the resultants of stiffness damping, `damping` is its time over the time step.
template <class V>
SectionForces<V> update_section(const GroupParameters& group, const beam::CrossSection& section,
                                simd::scalar_t<V>* points, const V (&strain)[3], const V (&slope)[3], V dt,
                                V damping, SectionForces<V>& viscous) {
  using T = simd::scalar_t<V>;
  const V zero = V(static_cast<T>(0)), factor = V(static_cast<T>(group.shear_factor));
  SectionForces<V> sum{zero, zero, zero, zero, zero, zero, {}};
  viscous = sum;
  const V young = V(static_cast<T>(group.young)) * damping, shear = V(static_cast<T>(group.shear)) * damping;
  V n_failed = zero;
  for (int p = 0; p < section.n; ++p) {
    const V s = V(static_cast<T>(section.s[p])), t = V(static_cast<T>(section.t[p]));
    const V area = V(static_cast<T>(section.area[p]));
    const V d[3] = {strain[0] + t * slope[1] - s * slope[2], strain[1] - t * slope[0],
                    strain[2] + s * slope[0]};
    SectionPoint<V> point;
    update_section_point(group, points + p * beam::point_stride(group) * kLanes, d, dt, point);
    sum.add(point.stress, s, t, area, factor);
    if (group.stiffness_damping != 0) {
      const V acts = simd::select(point.failed, zero, V(1));
      const V stress[3] = {acts * young * d[0], acts * shear * d[1], acts * shear * d[2]};
      viscous.add(stress, s, t, area, factor);
    }
    n_failed += simd::select(point.failed, V(1), zero);
  }
  sum.failed = enough_failed(group, n_failed, points + beam::kHistory * kLanes, beam::point_stride(group));
  return sum;
}

/// The same where the axial force may be prescribed.
template <class V>
SectionForces<V> update_preloaded(const GroupParameters& group, const beam::CrossSection& section,
                                  simd::scalar_t<V>* points, const V (&strain)[3], const V (&slope)[3], V dt,
                                  V damping, SectionForces<V>& viscous) {
  const materials::PreloadLaw* const law = materials::preload_of(group.law);
  if (law == nullptr) return update_section(group, section, points, strain, slope, dt, damping, viscous);
  const BeamPreload<V> preload(group, *law, section, points);
  if (!preload.acts()) return update_section(group, section, points, strain, slope, dt, damping, viscous);
  V direct[3], curved[3];
  for (int i = 0; i < 3; ++i) direct[i] = strain[i], curved[i] = slope[i];
  preload.replace(group.young, direct, curved);
  SectionForces<V> sum = update_section(group, section, points, direct, curved, dt, damping, viscous);
  preload.correct(sum.axial, sum.moment_s, sum.moment_t);
  return sum;
}

/// A beam fails when all its points have failed. Other criteria (spot_weld.hpp) have the same interface.
struct AllPointsFail {
  static constexpr int extra = 0;  ///< variables after the points
  template <class V>
  simd::mask_t<V> operator()(const Step<V>&, const StateBefore<V>&, const StateAfter<V>&,
                             const SectionForces<V>& now, const V (&)[6]) const {
    return now.failed;
  }
};

template <class Criterion>
struct HughesLiu : Beam {
  static constexpr bool rotations = true;
  const beam::CrossSection section;
  const Criterion criterion;

  static int variables(const GroupParameters& group) { return beam::extra_offset(group) + Criterion::extra; }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 2, true>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 2, true>& out) const {
    using T = simd::scalar_t<V>;
    using namespace beam;
    const V dt = V(static_cast<T>(of.dt)), half = V(static_cast<T>(0.5)), zero = V(static_cast<T>(0));

    BeamMotion<V> m;
    move_frame(group, motion, of, before, after, m);
    const double inertia = section.largest();
    const BeamStiffness stiffness{.axial = group.young * section.total_area,
                                  .bending = group.young * inertia,
                                  .torsion = group.shear * (section.i_ss + section.i_tt),
                                  .shear = group.shear_factor * group.shear * section.total_area,
                                  .inertia = inertia,
                                  .area = section.total_area,
                                  .coupled = section.has_offset};
    const V step = simd::select(m.length > zero,
                                beam_stable_step(group, stiffness, before.load(kLength0), m.length), zero);
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    const V rate = dt / m.mid_length;
    V strain[3], slope[3];
    for (int i = 0; i < 3; ++i) {
      strain[i] = rate * m.stretch[i];
      slope[i] = rate * (m.spin[1][i] - m.spin[0][i]);
    }
    strain[1] -= dt * half * (m.spin[0][2] + m.spin[1][2]);
    strain[2] += dt * half * (m.spin[0][1] + m.spin[1][1]);
    const V old[6] = {before.load(kResultants),     before.load(kResultants + 1),
                      before.load(kResultants + 2), before.load(kResultants + 3),
                      before.load(kResultants + 4), before.load(kResultants + 5)};
    SectionForces<V> viscous;
    const SectionForces<V> now = update_preloaded(group, section, after.from(kPoints), strain, slope, dt,
                                                  damping_per_step(group, step, of.dt), viscous);
    const V resultants[6] = {now.axial, now.shear_s, now.shear_t, now.moment_s, now.moment_t, now.torsion};
    const V conjugate[6] = {strain[0], strain[1], strain[2], slope[1], slope[2], slope[0]};
    V work = zero;
    for (int k = 0; k < 6; ++k) {
      work += (old[k] + resultants[k]) * conjugate[k];
      after.store(kResultants + k, resultants[k]);
    }

    V carried[6];
    for (int k = 0; k < 6; ++k) carried[k] = resultants[k];
    if (group.stiffness_damping != 0) {
      const V damped[6] = {viscous.axial,    viscous.shear_s,  viscous.shear_t,
                           viscous.moment_s, viscous.moment_t, viscous.torsion};
      V taken = zero;
      for (int k = 0; k < 6; ++k) {
        carried[k] += damped[k];
        taken += damped[k] * conjugate[k];
      }
      out.damping = m.mid_length * taken;
    }

    const V force[3] = {carried[0], carried[1], carried[2]};
    const V lever = half * m.length;
    const V moments[2][3] = {{-carried[5], lever * force[2] - carried[3], -lever * force[1] - carried[4]},
                             {carried[5], lever * force[2] + carried[3], carried[4] - lever * force[1]}};
    out.survives = out.acts = of.living && !criterion(of, before, after, now, resultants);
    out.counts = of.living;
    set_beam_forces(m.end, force, moments, out);
    out.internal = half * m.mid_length * work;
  }
};

/// ELFORM 1.
struct HughesLiuForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    run(HughesLiu<AllPointsFail>{{}, beam::cross_section(*group.section), {}});
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
