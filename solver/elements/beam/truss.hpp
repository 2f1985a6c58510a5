// Truss (ELFORM 3): one axial stress, any law with a beam update, or a muscle; constant area.
//
// The stress of a muscle (materials/muscle/muscle.hpp) follows from the length and its rate half way through
// the step. Its stable step is that of a spring and a damper with half the element's mass at each end
// (discrete/spring.hpp), or across its line with F / L.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/no_limit.hpp"
#include "elements/beam/frame.hpp"
#include "elements/beam/section_point.hpp"
#include "elements/beam/stable_step.hpp"
#include "elements/stiffness_damping.hpp"
#include "materials/muscle/muscle.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Stress of a muscle. The law takes scalars only; it is smooth but for corners of curves.
template <class V>
V muscle_stress(const materials::MuscleLaw& law, const V& stretch, const V& rate, double time) {
  if constexpr (simd::is_dual_v<V>) {
    const double x = stretch.value, v = rate.value;
    const double h = 1e-6, k = 1e-6 * std::max(std::fabs(v), law.muscle.fastest_rate);
    const double by_x = (law.stress(x + h, v, time) - law.stress(x - h, v, time)) / (2 * h);
    const double by_v = (law.stress(x, v + k, time) - law.stress(x, v - k, time)) / (2 * k);
    V stress = V(by_x) * stretch + V(by_v) * rate;
    stress.value = law.stress(x, v, time);
    return stress;
  } else {
    V stress = stretch;
    for (int l = 0; l < simd::width_v<V>; ++l)
      simd::set_lane(
          stress, l,
          static_cast<simd::scalar_t<V>>(law.stress(simd::lane(stretch, l), simd::lane(rate, l), time)));
    return stress;
  }
}

/// Its stiffness for the stable step, without derivatives.
template <class V>
V muscle_stiffness(const materials::MuscleLaw& law, const V& stretch) {
  if constexpr (simd::is_dual_v<V>) {
    return V(law.stiffness(stretch.value));
  } else {
    V stiffness = stretch;
    for (int l = 0; l < simd::width_v<V>; ++l)
      simd::set_lane(stiffness, l, static_cast<simd::scalar_t<V>>(law.stiffness(simd::lane(stretch, l))));
    return stiffness;
  }
}

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
    if (const materials::MuscleLaw* muscle = materials::muscle_law(group.law))
      return pull(*muscle, group, dot3(g.velocity, e_mid), length, e, of, before, after, out);
    const BeamStiffness stiffness{.axial = group.young * area, .area = area};
    const V step =
        simd::select(length > V(0), beam_stable_step(group, stiffness, before.load(kLength0), length), V(0));
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    const V d[3] = {dt * dot3(g.velocity, e_mid) / mid_length, V(0), V(0)};
    SectionPoint<V> point;
    update_section_point(group, after.from(kPoints), d, dt, point, true);
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

 private:
  /// Of a muscle that lengthens at `speed`; e is its direction at the end of the step.
  template <class V>
  static void pull(const materials::MuscleLaw& law, const GroupParameters& group, const V& speed,
                   const V& length, const V (&e)[3], const Step<V>& of, const StateBefore<V>& before,
                   const StateAfter<V>& after, Forces<V, 2, false>& out) {
    using namespace beam;
    const auto constant = [](double c) { return V(static_cast<simd::scalar_t<V>>(c)); };
    const V zero = constant(0), area = constant(group.section->area);
    const V per_length = constant(law.start) / before.load(kLength0);
    const V stretch = per_length * length, old_force = before.load(kResultants);
    V force = old_force;
    if (of.dt != 0) {
      const V stress = muscle_stress(law, stretch, per_length * speed, of.time);
      force = area * stress;
      after.store(kPoints, stress);
      after.store(kResultants, force);
    }
    // Twice the inverse of half its mass.
    const V mobility = constant(4) / (constant(group.density * group.section->area + group.section->nsm) *
                                      before.load(kLength0));
    const V stiffness =
        mobility * simd::max(area * per_length * muscle_stiffness(law, stretch), force / length);
    const V damping = mobility * area * per_length * constant(law.viscosity());
    const V slowest = damping + simd::sqrt(damping * damping + constant(4) * simd::max(stiffness, zero));
    out.step = simd::select(length > zero, constant(4) / simd::max(slowest, constant(4 / kNoLimit)), zero);
    if (of.dt == 0) return;
    for (int i = 0; i < 3; ++i) {
      out.f[1][i] = force * e[i];
      out.f[0][i] = -out.f[1][i];
    }
    out.survives = out.acts = out.counts = of.living;
    out.internal = constant(0.5 * of.dt) * (old_force + force) * speed;
    out.damping = zero;
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
