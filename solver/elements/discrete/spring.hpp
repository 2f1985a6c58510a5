// Springs and dampers (*ELEMENT_DISCRETE), along the line between two nodes or an orientation vector.
//
// An element to ground has its first node twice: the kernel then takes the other end as fixed at the node's
// initial position (state kGround). Rotational elements (DRO = 1) act on moments with the nodes' relative
// rotation about the same direction.
//
// Springs and dampers have no mass: their step follows from the masses at their ends. With the stiffness k,
// the damping c and the compliance C = 1/m_a + 1/m_b, one step of central differences with velocities at half
// steps takes y = dt v and d to y' = (1 - c C dt) y - k C dt^2 d and d' = d + y'. Both roots of that matrix
// lie in the unit circle if, and only if, k C dt^2 + 2 c C dt <= 4 (Jury 1964), so
//
//   dt = 4 / (c C + sqrt((c C)^2 + 4 k C)),
//
// which is 2 / omega without damping (Hallquist 2006, LS-DYNA theory manual, discrete elements) and 2 / (c C)
// without stiffness.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/no_limit.hpp"
#include "elements/discrete/layout.hpp"
#include "elements/element.hpp"
#include "materials/discrete/spring_state.hpp"
#include "materials/update.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// `value` rounded to the precision T of memory.
template <class T, class S>
S in_memory(S value) {
  if constexpr (simd::is_dual_v<S>)
    return value;
  else
    return static_cast<S>(static_cast<T>(value));
}

/// Relative motion of the ends of one element. S is double, or a double with derivatives.
template <class S>
struct SpringMotion {
  S direction[3];     ///< the orientation, or from the first node to the second; zero where they coincide
  S elongation{0.0};  ///< without the initial offset
  S rate{0.0};
  S moved[3];  ///< kMoved: displacement of the node (to ground), or rotation in [0]
};

template <class S>
S dot_of(const S (&a)[3], const S (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Sets the direction of the element: its orientation, or the line between the nodes. Returns the length of
/// that line.
template <class S, class T>
S direction_of(const S (&line)[3], const StateBefore<S, T>& before, S (&direction)[3]) {
  if (simd::any(before.load(discrete::kOriented) != S(0.0))) {
    for (int i = 0; i < 3; ++i) direction[i] = before.load(discrete::kDirection + i);
    return dot_of(line, direction);
  }
  const S length = simd::sqrt(dot_of(line, line));
  const S inverse = simd::any(length > S(0.0)) ? S(1.0) / length : S(0.0);
  for (int i = 0; i < 3; ++i) direction[i] = inverse * line[i];
  return length;
}

/// Elongation along the line or the orientation; with ground from the node's summed displacement.
template <class S, class T>
SpringMotion<S> translation(const Motion<S, 2, true>& motion, double dt, bool ground,
                            const StateBefore<S, T>& before) {
  SpringMotion<S> m;
  S line[3], velocity[3];
  for (int i = 0; i < 3; ++i) {
    m.moved[i] = before.load(discrete::kMoved + i);
    if (ground) {
      m.moved[i] = in_memory<T>(m.moved[i] + dt * motion.v[0][i]);
      line[i] = -m.moved[i];
      velocity[i] = -motion.v[0][i];
    } else {
      line[i] = motion.x[1][i];
      velocity[i] = motion.v[1][i] - motion.v[0][i];
    }
  }
  m.elongation = direction_of(line, before, m.direction) - before.load(discrete::kLength0);
  m.rate = dot_of(velocity, m.direction);
  return m;
}

/// Relative rotation, summed over the steps.
template <class S, class T>
SpringMotion<S> rotation(const Motion<S, 2, true>& motion, double dt, bool ground,
                         const StateBefore<S, T>& before) {
  SpringMotion<S> m;
  S spin[3];
  direction_of(motion.x[1], before, m.direction);
  for (int i = 0; i < 3; ++i) {
    spin[i] = ground ? -motion.w[0][i] : motion.w[1][i] - motion.w[0][i];
    m.moved[i] = before.load(discrete::kMoved + i);
  }
  m.rate = dot_of(spin, m.direction);
  m.moved[0] = in_memory<T>(m.moved[0] + dt * m.rate);
  m.elongation = m.moved[0];
  return m;
}

/// What laws may ask for beside elongation and velocity.
struct SpringInput {
  double time, dt, length;
};

/// Force of the law at elongation `d` and velocity of elongation `v`. Laws take scalars only. They are
/// piecewise linear in both arguments, or smooth, so a difference quotient is their slope except for
/// rounding.
template <class S>
S law_force(const GroupParameters& group, S d, S v, const SpringInput& input,
            double (&history)[materials::kDiscreteHistory]) {
  const auto force = [&](double at, double speed, double(&h)[materials::kDiscreteHistory]) {
    materials::SpringState state;
    state.time = input.time, state.dt = input.dt, state.length = input.length;
    std::copy_n(h, materials::kDiscreteHistory, state.history);
    materials::update_discrete(group.law, at, speed, state);
    std::copy_n(state.history, materials::kDiscreteHistory, h);
    return state.force;
  };
  if constexpr (simd::is_dual_v<S>) {
    const auto slope = [&](double size, auto at) {
      const double h = 1e-6 * (size != 0 ? std::fabs(size) : 1.0);
      double above[materials::kDiscreteHistory], below[materials::kDiscreteHistory];
      std::copy_n(history, materials::kDiscreteHistory, above);
      std::copy_n(history, materials::kDiscreteHistory, below);
      return (at(h, above) - at(-h, below)) / (2 * h);
    };
    const double by_d =
        slope(d.value, [&](double h, auto& past) { return force(d.value + h, v.value, past); });
    const double by_v =
        slope(v.value, [&](double h, auto& past) { return force(d.value, v.value + h, past); });
    S result = by_d * d + by_v * v;
    result.value = force(d.value, v.value, history);
    return result;
  } else {
    return force(d, v, history);
  }
}

/// Force of the law with the terms of *SECTION_DISCRETE: a clearance before it acts (positive in
/// compression), and the factor 1 + KD |v| / V0.
template <class S>
S spring_force(const GroupParameters& group, S elongation, S rate, const SpringInput& input,
               double (&history)[materials::kDiscreteHistory]) {
  const model::Section& section = *group.section;
  const double clearance = section.clearance;
  const S zero(0.0);
  S d = elongation, v = rate;
  if (clearance != 0) {
    d = clearance > 0 ? simd::min(d + clearance, zero) : simd::max(d + clearance, zero);
    if (d == zero) v = zero;
  }
  const S force = law_force(group, d, v, input, history);
  const S magnification = section.kd != 0 ? 1.0 + section.kd * simd::abs(rate) / section.v0 : S(1.0);
  return magnification * force;
}

/// FD > 0 is the elongation, FD < 0 the shortening at which the element is deleted.
inline bool spring_fails(const model::Section& section, double elongation) {
  const double limit = section.fail_deflection;
  return limit > 0 ? elongation > limit : limit < 0 && elongation < limit;
}

/// Data for the stable step.
struct SpringEnd {
  double elongation, rate, scale, force, compliance;
  double history[materials::kDiscreteHistory];
};

inline constexpr double kPartOfChanging = 0.5;  ///< of the stable step, if the stiffness changes

/// The largest stable step for a tangent, kNoLimit where no end can move.
inline double tangent_step(const materials::DiscreteTangent& tangent, double compliance) {
  const double damping = tangent.damping * compliance, stiffness = tangent.stiffness * compliance;
  const double slowest = damping + std::sqrt(damping * damping + 4 * stiffness);
  return slowest > 4 / kNoLimit ? 4 / slowest : kNoLimit;
}

/// The stable step: the smallest over the tangents of the law; a tangent limits it only from the time at
/// which the spring may reach it. A clearance counts as closed. Where a law has several tangents the step
/// changes with them, which adds energy to a motion near the stability limit. Then only a fraction of each
/// step is used.
inline double spring_step(const GroupParameters& group, const SpringEnd& now) {
  const model::Section& section = *group.section;
  const auto& history = now.history;
  const double elongation = now.elongation, rate = now.rate;
  const double clearance = section.clearance;
  const double d = clearance > 0   ? std::fmin(elongation + clearance, 0.0)
                   : clearance < 0 ? std::fmax(elongation + clearance, 0.0)
                                   : elongation;
  const double scale = std::fabs(now.scale), force = std::fabs(now.force), compliance = now.compliance;
  // *SECTION_DISCRETE: F (1 + KD |v| / V0)
  const double per_rate = section.kd != 0 ? section.kd / section.v0 : 0.0;
  const double magnification = scale * (1 + per_rate * std::fabs(rate));
  int tangents = 0;
  materials::visit_tangents(group.law, d, rate, history, [&](double, const auto&) { ++tangents; });
  const double part = tangents > 1 ? kPartOfChanging : 1.0;
  const auto visit_steps = [&](auto visit) {
    materials::visit_tangents(group.law, d, rate, history, [&](double gap, materials::DiscreteTangent t) {
      t.stiffness *= magnification;
      t.damping = magnification * t.damping + force * per_rate;
      visit(gap, part * tangent_step(t, compliance));
    });
  };
  double here = kNoLimit, step = kNoLimit;
  visit_steps([&](double gap, double stable) { here = gap > 0 ? here : std::fmin(here, stable); });
  const double speed = std::fabs(rate) + (here < kNoLimit ? force * compliance * here : 0.0);
  visit_steps([&](double gap, double stable) {
    const double there = speed > 0 ? 0.5 * gap / speed : gap > 0 ? kNoLimit : 0.0;
    step = std::fmin(step, std::fmax(stable, there));
  });
  return step;
}

/// S is double or a double with derivatives, T the precision of memory. Elements are few and have branches,
/// so they run one by one.
struct Spring {
  static constexpr int n_nodes = 2;
  static constexpr bool rotations = true, prefetches = false, hourglass = false, drilling = false,
                        damps = false, only_step_at_start = true, absolute_velocity = true,
                        internal_is_product = true;
  static int variables(const GroupParameters&) { return discrete::kVariables; }

  template <class S, class T>
  void operator()(const GroupParameters& group, const Motion<S, 2, true>& motion, const Step<S>& of,
                  const StateBefore<S, T>& before, const StateAfter<S, T>& after,
                  Forces<S, 2, true>& out) const {
    const auto value = [&](int k) { return simd::lane(before.load(k), 0); };
    const bool rotational = group.section->rotational, ground = value(discrete::kGround) != 0;
    const SpringMotion<S> m =
        rotational ? rotation(motion, of.dt, ground, before) : translation(motion, of.dt, ground, before);
    for (int i = 0; i < 3; ++i) after.store(discrete::kMoved + i, m.moved[i]);
    SpringEnd end{value(discrete::kOffset), simd::lane(m.rate, 0),        value(discrete::kScale),
                  value(discrete::kForce),  value(discrete::kCompliance), {}};
    for (int k = 0; k < materials::kDiscreteHistory; ++k) end.history[k] = value(discrete::kHistory + k);
    out.step = spring_step(group, end);
    if (of.dt == 0) return;

    const S elongation = m.elongation + before.load(discrete::kOffset);
    out.survives = out.acts = out.counts = !spring_fails(*group.section, simd::lane(elongation, 0));
    out.internal = out.stretch = S(0.0);
    if (!out.acts) return;
    const SpringInput input{of.time, of.dt, rotational || ground ? 0.0 : value(discrete::kLength0)};
    const S force =
        before.load(discrete::kScale) * spring_force(group, elongation, m.rate, input, end.history);
    out.internal = 0.5 * (force + before.load(discrete::kForce));
    out.stretch = elongation - before.load(discrete::kElongation);
    for (int k = 0; k < materials::kDiscreteHistory; ++k) {
      after.store(discrete::kHistory + k, S(end.history[k]));
      end.history[k] = in_memory<T>(end.history[k]);
    }
    after.store(discrete::kForce, force);
    after.store(discrete::kElongation, elongation);
    end.elongation = simd::lane(elongation, 0);
    end.force = in_memory<T>(simd::lane(force, 0));
    out.step = spring_step(group, end);
    // The internal force pulls the first node along the direction and the second against it.
    for (int i = 0; i < 3; ++i) {
      const S pull = force * m.direction[i], none(0.0);
      out.f[0][i] = rotational ? none : -pull;
      out.m[0][i] = rotational ? -pull : none;
      out.f[1][i] = rotational || ground ? none : pull;
      out.m[1][i] = rotational && !ground ? pull : none;
    }
  }
};

/// *ELEMENT_DISCRETE.
struct SpringForm {
  static constexpr bool flatten = false, one_by_one = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(Spring());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
