// Discrete beam or cable (ELFORM 6): forces over relative displacements and rotations of two nodes, in a
// frame that turns with them. Its nodes may be at one place.
//
// The frame (LS-DYNA keyword manual, vol. I, *SECTION_BEAM, SCOOR) turns with node 1 (SCOOR < 0), node 2 (>
// 0) or with the mean of both (0); with |SCOOR| = 2 and 12 its r axis follows the line between the nodes.
// With the rotation R of the frame, L from node 1 to node 2 and the nodes' angular velocities w1 and w2:
//
//   SCOOR 0, -1, 1  for nodes close to each other: d = R' L less its value at the start, and no moments
//                   balance the forces F at the distance L (LS-DYNA knowledge base, "Discrete beam")
//   others          d' = R' (L' - (w1 + w2) / 2 x L), as of a shear beam with one point, and with it, by
//                   virtual power, the moments -L x F / 2 on both nodes, which balance the forces
//
// Both are zero in a rigid rotation. Rotations are the sums of R' (w2 - w1) dt. Rates are taken half way
// through the step (frame.hpp).
//
// Laws of one freedom act along the line between the nodes, over the change of its length.
//
// The stable step is that of the element's own mass M and inertia J, half of it at each node (discrete/
// spring.hpp): displacements have the compliance 4 / M, and L^2 / J more with moments that balance;
// rotations 4 / J. Where displacements and rotations mix, the squares of both frequencies are added, as the
// largest eigenvalue of a sum is at most the sum of the largest.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/no_limit.hpp"
#include "elements/beam/discrete_layout.hpp"
#include "elements/beam/frame.hpp"
#include "elements/element.hpp"
#include "materials/discrete_beam/law.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Axes half way through the step and at its end, rows r, s, t.
template <class S>
struct TurnedFrame {
  S mid[3][3], end[3][3];
};

/// Rotate a by the Cayley map of the half rotation vector: a + 2 / (1 + h.h) (h x a + h x (h x a)).
template <class S>
void turn_by_half(const S (&half)[3], const S (&a)[3], S (&turned)[3]) {
  S once[3], twice[3];
  cross3(half, a, once);
  cross3(half, once, twice);
  const S factor = S(2.0) / (S(1.0) + dot3(half, half));
  for (int i = 0; i < 3; ++i) turned[i] = a[i] + factor * (once[i] + twice[i]);
}

/// Forces of the six components, and the tangents for the stable step.
template <class S>
struct ComponentForces {
  S force[6];
  double damping[2] = {0, 0}, stiffness[2] = {0, 0};  ///< largest of displacements, of rotations
};

/// A component's force. Laws take scalars only. A difference quotient is their slope, except for rounding and
/// at corners of curves.
template <class S>
S force_of_component(const materials::DiscreteBeamComponent& c, S d, S v, double time, double length,
                     double (&history)[materials::kComponentHistory]) {
  if constexpr (simd::is_dual_v<S>) {
    const auto at = [&](double by_d, double by_v) {
      double past[materials::kComponentHistory];
      std::copy_n(history, materials::kComponentHistory, past);
      return materials::component_force(c, d.value + by_d, v.value + by_v, time, length, past);
    };
    // Not smaller: beside a preload, differences over it would be rounding.
    const auto increment = [](double x) { return 1e-6 * std::max(std::fabs(x), 1e-3); };
    const double h = increment(d.value), k = increment(v.value);
    S force = S((at(h, 0) - at(-h, 0)) / (2 * h)) * d + S((at(0, k) - at(0, -k)) / (2 * k)) * v;
    force.value = materials::component_force(c, d.value, v.value, time, length, history);
    return force;
  } else {
    return materials::component_force(c, d, v, time, length, history);
  }
}

/// The largest stable step at k C and c C (discrete/spring.hpp).
inline double step_of_freedom(double stiffness, double damping) {
  const double slowest = damping + std::sqrt(damping * damping + 4 * stiffness);
  return slowest > 4 / kNoLimit ? 4 / slowest : kNoLimit;
}

/// S is double or a double with derivatives. Elements are few and have branches, so they run one by one.
struct DiscreteBeam {
  static constexpr int n_nodes = 2;
  static constexpr bool rotations = true, prefetches = false, hourglass = false, drilling = false,
                        damps = false, only_step_at_start = true;
  static int variables(const GroupParameters&) { return beam::kDiscreteVariables; }

  template <class S, class T>
  void operator()(const GroupParameters& group, const Motion<S, 2, true>& motion, const Step<S>& of,
                  const StateBefore<S, T>& before, const StateAfter<S, T>& after,
                  Forces<S, 2, true>& out) const {
    const auto& law = *static_cast<const materials::DiscreteBeamLaw*>(group.law.parameters);
    const BeamLine<S> line = beam_line(motion);
    for (auto* of_nodes : {&out.f, &out.m})
      for (auto& v : *of_nodes) std::fill_n(v, 3, S(0.0));
    out.internal = S(0.0);
    if (law.line)
      along_line(law, line, of, before, after, out);
    else
      in_frame(group, law, motion, line, of, before, after, out);
  }

 private:
  /// The law's force at the displacement d of freedom k, its work in the step, and what the step follows
  /// from.
  template <class S, class T>
  static S advance(const materials::DiscreteBeamLaw& law, int k, S d, const Step<S>& of, double length,
                   const StateBefore<S, T>& before, const StateAfter<S, T>& after, ComponentForces<S>& to,
                   S& work) {
    using namespace beam;
    const materials::DiscreteBeamComponent& c = law.component[static_cast<std::size_t>(k)];
    constexpr int resultant[6] = {0, 1, 2, 5, 3, 4};  // torsion is last in layout.hpp
    const S change = d - before.load(kDisplacement + k), old = before.load(kResultants + resultant[k]);
    double history[materials::kComponentHistory];
    const int first = kComponents + k * materials::kComponentHistory;
    for (int i = 0; i < materials::kComponentHistory; ++i) history[i] = simd::lane(before.load(first + i), 0);
    const S rate = of.dt > 0 ? change / S(of.dt) : S(0.0);
    to.force[k] = of.dt > 0 ? force_of_component(c, d, rate, of.time, length, history) : old;
    if (of.dt > 0) {
      for (int i = 0; i < materials::kComponentHistory; ++i) after.store(first + i, S(history[i]));
      after.store(kDisplacement + k, d);
      after.store(kResultants + resultant[k], to.force[k]);
      work += S(0.5) * (old + to.force[k]) * change;
    }
    const materials::ComponentTangent t = materials::component_tangent(
        c, simd::lane(d, 0), simd::lane(rate, 0), simd::lane(to.force[k], 0), length);
    to.stiffness[k / 3] = std::max(to.stiffness[k / 3], t.stiffness);
    to.damping[k / 3] = std::max(to.damping[k / 3], t.damping);
    return to.force[k];
  }

  /// Whether a limit of the law is reached.
  template <class S>
  static bool fails(const materials::DiscreteBeamLaw& law, const S (&displacement)[6], const S (&force)[6]) {
    double d[6], f[6];
    for (int k = 0; k < 6; ++k) {
      d[k] = simd::lane(displacement[k], 0) + law.component[static_cast<std::size_t>(k)].start;
      f[k] = simd::lane(force[k], 0);
    }
    return std::any_of(law.limit.begin(), law.limit.begin() + law.n_limits,
                       [&](const auto& limit) { return limit(limit.of_forces ? f : d) >= 1; });
  }

  template <class S, class T>
  static void along_line(const materials::DiscreteBeamLaw& law, const BeamLine<S>& line, const Step<S>& of,
                         const StateBefore<S, T>& before, const StateAfter<S, T>& after,
                         Forces<S, 2, true>& out) {
    using namespace beam;
    const S length = simd::sqrt(dot3(line.along, line.along));
    const double free = simd::lane(before.load(kLength0), 0) - law.section.offset;
    S displacement[6] = {}, work(0.0);
    displacement[0] = length - S(free);
    ComponentForces<S> forces{};
    const S force = advance(law, 0, displacement[0], of, free, before, after, forces, work);
    const double mass = simd::lane(before.load(kMass), 0), now = simd::lane(length, 0);
    // A taut string pulls across its line with F / L.
    const double across = now > 0 ? std::max(simd::lane(force, 0), 0.0) / now : 0.0;
    out.step =
        S(step_of_freedom(std::max(forces.stiffness[0], across) * 4 / mass, forces.damping[0] * 4 / mass));
    if (of.dt == 0) return;
    const bool breaks = law.greatest_strain > 0 && now - free >= law.greatest_strain * free;
    out.survives = out.acts = out.counts = !breaks && !fails(law, displacement, forces.force);
    if (!out.acts || !(now > 0)) return;
    for (int i = 0; i < 3; ++i) {
      out.f[1][i] = force * line.along[i] / length;
      out.f[0][i] = -out.f[1][i];
    }
    out.internal = work;
  }

  /// Turns the frame by the step.
  template <class S, class T>
  static void turn_frame(const model::DiscreteBeamSection& section, const BeamLine<S>& line,
                         const S (&w)[2][3], double dt, const StateBefore<S, T>& before,
                         const StateAfter<S, T>& after, TurnedFrame<S>& frame) {
    using namespace beam;
    const S half(0.5 * dt);
    S old[3][3], spin[3], middle[3];
    for (int i = 0; i < 3; ++i) {
      old[0][i] = before.load(kDirection + i);
      old[1][i] = before.load(kAxis + i);
      spin[i] = section.scoor < 0 ? w[0][i] : section.scoor > 0 ? w[1][i] : S(0.5) * (w[0][i] + w[1][i]);
      middle[i] = line.along[i] - half * line.velocity[i];
    }
    cross3(old[0], old[1], old[2]);
    for (std::size_t k = 0; k < 3; ++k)
      if (section.held[k]) {
        const S about = dot3(spin, old[k]);
        for (int i = 0; i < 3; ++i) spin[i] -= about * old[k][i];
      }
    const bool follows = section.along_line() && simd::lane(dot3(middle, middle), 0) > 0 &&
                         simd::lane(dot3(line.along, line.along), 0) > 0;
    if (follows) {
      S e[3], across[3];
      const S length = normalise(middle, e), about = dot3(spin, e);
      cross3(e, line.velocity, across);
      for (int i = 0; i < 3; ++i) spin[i] = across[i] / length + about * e[i];
    }
    for (int i = 0; i < 3; ++i) spin[i] = half * spin[i];
    S turned[2][3], between[2][3];
    for (int k = 0; k < 2; ++k) {
      turn_by_half(spin, old[k], turned[k]);
      for (int i = 0; i < 3; ++i) between[k][i] = old[k][i] + turned[k][i];
    }
    make_frame(follows ? middle : between[0], between[1], frame.mid);
    make_frame(follows ? line.along : turned[0], turned[1], frame.end);
    for (int i = 0; i < 3; ++i) {
      after.store(kDirection + i, frame.end[0][i]);
      after.store(kAxis + i, frame.end[1][i]);
    }
  }

  /// Relative displacements and rotations at the end of the step.
  template <class S, class T>
  static void move(bool turns_far, const model::DiscreteBeamSection& section,
                   const Motion<S, 2, true>& motion, const BeamLine<S>& line, double dt,
                   const StateBefore<S, T>& before, const StateAfter<S, T>& after, TurnedFrame<S>& frame,
                   S (&d)[6]) {
    S w[2][3], rate[3], difference[3];
    for (int a = 0; a < 2; ++a) {
      std::copy_n(motion.w[a], 3, w[a]);
      if (!turns_far) cayley_rate(w[a], S(dt));
    }
    turn_frame(section, line, w, dt, before, after, frame);
    S mean[3], middle[3], carried[3];
    for (int i = 0; i < 3; ++i) {
      mean[i] = S(0.5) * (w[0][i] + w[1][i]);
      middle[i] = line.along[i] - S(0.5 * dt) * line.velocity[i];
      difference[i] = motion.w[1][i] - motion.w[0][i];
    }
    cross3(mean, middle, carried);
    for (int i = 0; i < 3; ++i) rate[i] = line.velocity[i] - carried[i];
    for (int k = 0; k < 3; ++k) {
      const S old = before.load(beam::kDisplacement + k);
      d[k] = section.balanced() ? old + S(dt) * dot3(rate, frame.mid[k])
                                : dot3(line.along, frame.end[k]) - before.load(beam::kStart + k);
      d[3 + k] = before.load(beam::kDisplacement + 3 + k) + S(dt) * dot3(difference, frame.mid[k]);
    }
  }

  template <class S, class T>
  static void in_frame(const GroupParameters& group, const materials::DiscreteBeamLaw& law,
                       const Motion<S, 2, true>& motion, const BeamLine<S>& line, const Step<S>& of,
                       const StateBefore<S, T>& before, const StateAfter<S, T>& after,
                       Forces<S, 2, true>& out) {
    using namespace beam;
    TurnedFrame<S> frame;
    S d[6], work(0.0);
    ComponentForces<S> forces{};
    if (of.dt > 0)
      move(group.turns_far, law.section, motion, line, of.dt, before, after, frame, d);
    else
      for (int k = 0; k < 6; ++k) d[k] = before.load(kDisplacement + k);
    for (int k = 0; k < 6; ++k) advance(law, k, d[k], of, 1.0, before, after, forces, work);
    out.step =
        S(stable_step(law.section, forces, simd::lane(before.load(kMass), 0),
                      simd::lane(before.load(kInertia), 0), simd::lane(dot3(line.along, line.along), 0)));
    if (of.dt == 0) return;
    out.survives = out.acts = out.counts = !fails(law, d, forces.force);
    if (!out.acts) return;
    const S force[3] = {forces.force[0], forces.force[1], forces.force[2]};
    const S moments[2][3] = {{-forces.force[3], -forces.force[4], -forces.force[5]},
                             {forces.force[3], forces.force[4], forces.force[5]}};
    set_beam_forces(frame.end, force, moments, out);
    if (law.section.balanced()) {
      S torque[3];
      cross3(line.along, out.f[1], torque);
      for (auto& m : out.m)
        for (int i = 0; i < 3; ++i) m[i] -= S(0.5) * torque[i];
    }
    out.internal = work;
  }

  template <class S>
  static double stable_step(const model::DiscreteBeamSection& section, const ComponentForces<S>& of,
                            double mass, double inertia, double length2) {
    const double turning = inertia > 0 ? 4 / inertia : 0.0;
    const double moving = 4 / mass + (section.balanced() && inertia > 0 ? length2 / inertia : 0.0);
    const double k[2] = {of.stiffness[0] * moving, of.stiffness[1] * turning};
    const double c[2] = {of.damping[0] * moving, of.damping[1] * turning};
    if (section.balanced()) return step_of_freedom(k[0] + k[1], c[0] + c[1]);
    return std::min(step_of_freedom(k[0], c[0]), step_of_freedom(k[1], c[1]));
  }
};

/// ELFORM 6.
struct DiscreteBeamForm {
  static constexpr bool flatten = false, one_by_one = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(DiscreteBeam());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
