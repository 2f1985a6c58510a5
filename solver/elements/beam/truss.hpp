// Truss (ELFORM 3): one axial stress, any law with a beam update, or a muscle; constant area.
//
// The stress of a muscle (materials/muscle/muscle.hpp) follows from the length and its rate half way through
// the step. Its stable step is that of a spring and a damper with half the element's mass at each end
// (discrete/spring.hpp), or across its line with F / L.
//
// In a chain (*PART_AVERAGED, state/truss_chains.hpp) the strain is that of the whole line: its length, rate
// and inertia come from outside, the force acts along each truss. Every truss counts the work of the force on
// itself, so the sum is that on the chain.
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

/// The line whose strain is that of a truss: the truss itself, or its chain.
template <class V>
struct StretchedLine {
  V length, mid_length, speed, length0;
  V mobility;  ///< times a force over a length per mass and length: its acceleration against itself
  V own_mobility, own_length;
  simd::mask_t<V> living;
  bool chain;

  /// `own_speed`, `own_mid`, `own`: of the truss. Deleted trusses are not stretched.
  StretchedLine(const GroupParameters& group, const StateBefore<V>& before, simd::mask_t<V> lives,
                const V& own_speed, const V& own_mid, const V& own)
      : length(own),
        mid_length(own_mid),
        speed(own_speed),
        length0(before.load(beam::kLength0)),
        own_length(own),
        living(lives),
        chain(beam::is_chain(group)) {
    const auto constant = [](double c) { return V(static_cast<simd::scalar_t<V>>(c)); };
    const V per_length = constant(group.density * group.section->area + group.section->nsm);
    mobility = own_mobility = constant(4) / (per_length * length0);
    if (!chain) return;
    const auto of_chain = [&](int k) { return before.load(beam::extra_offset(group) + k); };
    using namespace beam::ChainVariable;
    length = of_chain(kLength);
    mid_length = of_chain(kMidLength);
    speed = simd::select(living, of_chain(kSpeed), constant(0));
    length0 = of_chain(kStartLength);
    mobility = of_chain(kMobility) / per_length;
  }
  /// Whether it can pull: a chain ends with one of its trusses.
  simd::mask_t<V> whole() const { return chain ? living && length > V(0) : living; }
  /// The square of the highest frequency with the stiffness `axial` and the force `force` in the line. The
  /// directions of a truss's two vibrations are normal to each other; bends mix those of a chain.
  V highest(const V& axial, const V& force) const {
    if (!chain) return mobility * simd::max(axial, force / length);
    return mobility * axial + own_mobility * simd::max(force, V(0)) / own_length;
  }
};

struct Truss : Beam {
  static constexpr bool rotations = false;
  static int variables(const GroupParameters& group) {
    return beam::extra_offset(group) + (beam::is_chain(group) ? beam::ChainVariable::kCount : 0);
  }

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
    const V own_speed = dot3(g.velocity, e_mid);
    const StretchedLine<V> line(group, before, of.living, own_speed, mid_length, length);
    if (const materials::MuscleLaw* muscle = materials::muscle_law(group.law))
      return pull(*muscle, group, line, own_speed, e, of, before, after, out);
    const V old_force = before.load(kResultants);
    const BeamStiffness stiffness{.axial = group.young * area, .area = area};
    const V free_step =
        line.chain
            ? V(static_cast<T>(2)) /
                  simd::sqrt(line.highest(V(static_cast<T>(group.young * area)) / line.length, old_force))
            : beam_stable_step(group, stiffness, before.load(kLength0), length);
    const V step = simd::select(length > V(0), free_step, V(0));
    out.step = damped_step(group, step);
    if (of.dt == 0) return;

    const V d[3] = {dt * line.speed / line.mid_length, V(0), V(0)};
    SectionPoint<V> point;
    update_section_point(group, after.from(kPoints), d, dt, point, true);
    const auto whole = line.whole();
    const V force = V(static_cast<T>(area)) * point.stress[0];
    after.store(kResultants, force);

    V carried = force;
    if (group.stiffness_damping != 0) {
      const V damping = simd::select(point.failed, V(0), damping_per_step(group, step, of.dt));
      const V viscous = V(static_cast<T>(group.young * area)) * damping * d[0];
      carried += viscous;
      out.damping = line.chain ? viscous * dt * own_speed : viscous * d[0] * mid_length;
    }
    for (int i = 0; i < 3; ++i) {
      out.f[1][i] = carried * e[i];
      out.f[0][i] = -out.f[1][i];
    }
    out.survives = out.acts = whole && !point.failed;
    out.counts = of.living;
    out.internal = line.chain ? half * (old_force + force) * dt * own_speed
                              : half * (old_force + force) * mid_length * d[0];
  }

 private:
  /// Of a muscle that is `line`; the truss itself lengthens at `own_speed`, e is its direction at the end of
  /// the step.
  template <class V>
  static void pull(const materials::MuscleLaw& law, const GroupParameters& group,
                   const StretchedLine<V>& line, const V& own_speed, const V (&e)[3], const Step<V>& of,
                   const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 2, false>& out) {
    using namespace beam;
    const auto constant = [](double c) { return V(static_cast<simd::scalar_t<V>>(c)); };
    const V zero = constant(0), area = constant(group.section->area);
    const V per_length = constant(law.start) / line.length0;
    const V stretch = per_length * line.length, old_force = before.load(kResultants);
    V force = old_force;
    if (of.dt != 0) {
      const V stress = muscle_stress(law, stretch, per_length * line.speed, of.time);
      force = area * stress;
      after.store(kPoints, stress);
      after.store(kResultants, force);
    }
    const V stiffness = line.highest(area * per_length * muscle_stiffness(law, stretch), force);
    const V damping = line.mobility * area * per_length * constant(law.viscosity());
    const V slowest = damping + simd::sqrt(damping * damping + constant(4) * simd::max(stiffness, zero));
    out.step =
        simd::select(line.own_length > zero, constant(4) / simd::max(slowest, constant(4 / kNoLimit)), zero);
    if (of.dt == 0) return;
    for (int i = 0; i < 3; ++i) {
      out.f[1][i] = force * e[i];
      out.f[0][i] = -out.f[1][i];
    }
    out.survives = out.acts = line.whole();
    out.counts = of.living;
    out.internal = constant(0.5 * of.dt) * (old_force + force) * own_speed;
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
