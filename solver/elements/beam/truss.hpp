// Truss (ELFORM 3): one axial stress, any law with a beam update, constant area.
#pragma once

#include "elements/beam/frame.hpp"
#include "elements/beam/section_point.hpp"
#include "elements/beam/stable_step.hpp"
#include "elements/stiffness_damping.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

struct Truss : Beam {
  static constexpr bool rotations = false;
  static int variables(const GroupParameters& group) { return beam::extra_offset(group); }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 2, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 2, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace beam;
    const V dt = V(static_cast<T>(of.dt)), half = V(static_cast<T>(0.5));
    const double area = group.section->area;

    const BeamLine<V> g = beam_line(motion);
    V middle[3], e_mid[3], e[3];
    for (int i = 0; i < 3; ++i) middle[i] = g.along[i] - half * dt * g.velocity[i];
    const V mid_length = normalise(middle, e_mid), length = normalise(g.along, e);
    const BeamStiffness stiffness{.axial = group.young * area, .area = area};
    const V step =
        simd::select(length > V(0), beam_stable_step(group, stiffness, before.load(kLength0), length), V(0));
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    const V d[3] = {dt * dot3(g.velocity, e_mid) / mid_length, V(0), V(0)};
    SectionPoint<V> point;
    update_section_point(group, after.from(kPoints), d, dt, point);
    const V force = V(static_cast<T>(area)) * point.stress[0], old_force = before.load(kResultants);
    after.store(kResultants, force);

    V carried = force;
    if (group.stiffness_damping != 0) {
      const V damping = simd::select(point.failed, V(0), damping_per_step(group, step, of.dt));
      const V viscous = V(static_cast<T>(group.young * area)) * damping * d[0];
      carried += viscous;
      out.damping = viscous * d[0] * mid_length;
    }
    for (int i = 0; i < 3; ++i) {
      out.f[1][i] = carried * e[i];
      out.f[0][i] = -out.f[1][i];
    }
    out.survives = out.acts = of.living && !point.failed;
    out.counts = of.living;
    out.internal = half * (old_force + force) * mid_length * d[0];
  }
};

/// ELFORM 3.
struct TrussForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(Truss());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
