// The frame that moves with a two-node beam, and the nodes' velocities in it.
//
// Rates are taken half way through the step, where a rigid motion of any size gives no strain. Nodal angular
// velocities are those of the exponential map. Positions, which move with mid-point velocities, rotate by the
// Cayley map (Hughes and Winget 1980). So angular velocities are multiplied by tan(u) / u, u = |w| dt / 2:
// then both agree in rigid rotation.
#pragma once

#include "elements/beam/layout.hpp"
#include "elements/element.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

template <class V>
V dot3(const V (&a)[3], const V (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class V>
void cross3(const V (&a)[3], const V (&b)[3], V (&c)[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
}

/// e = a / |a|; returns |a|.
template <class V>
V normalise(const V (&a)[3], V (&e)[3]) {
  const V length = simd::sqrt(dot3(a, a));
  for (int i = 0; i < 3; ++i) e[i] = a[i] / length;
  return length;
}

/// Frame from the beam's vector and a direction close to its s axis; returns the length.
template <class V>
V make_frame(const V (&along)[3], const V (&near_s)[3], V (&e)[3][3]) {
  const V length = normalise(along, e[0]);
  const V projection = dot3(near_s, e[0]);
  V p[3];
  for (int i = 0; i < 3; ++i) p[i] = near_s[i] - projection * e[0][i];
  normalise(p, e[1]);
  cross3(e[0], e[1], e[2]);
  return length;
}

/// Motion of a beam in the step: frames and lengths at its middle and end, and rates in the middle frame.
template <class V>
struct BeamMotion {
  V mid[3][3], end[3][3];  ///< rows are the axes r, s, t
  V mid_length, length;
  V stretch[3];  ///< velocity of node 2 relative to node 1, along r s t
  V spin[2][3];  ///< angular velocities of the nodes, along r s t
};

/// Angular velocity whose Cayley map in a step equals the exponential map of w: for explicit steps. In steps
/// that turn far (kernel.hpp) nodes have it already.
template <class V>
void cayley_rate(V (&w)[3], V dt) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const V u2 = constant(0.25) * dt * dt * dot3(w, w);
  const V factor =
      constant(1) + u2 * (constant(1.0 / 3) + u2 * (constant(2.0 / 15) + u2 * constant(17.0 / 315)));
  for (int i = 0; i < 3; ++i) w[i] *= factor;
}

/// Properties of all beams that the drivers ask for (element.hpp).
struct Beam {
  static constexpr int n_nodes = 2;
  static constexpr bool prefetches = false, hourglass = false, drilling = false, damps = true,
                        only_step_at_start = true;
  static constexpr int shape[2][3] = {{0, 0, 0}, {1, 0, 0}};
};

/// The beam vector and its velocity at the end of the step.
template <class V>
struct BeamLine {
  V along[3], velocity[3];
};

template <class V>
BeamLine<V> beam_line(const NodalMotion<V, 2>& motion) {
  BeamLine<V> g;
  for (int i = 0; i < 3; ++i) {
    g.along[i] = motion.x[1][i];
    g.velocity[i] = motion.v[1][i];
  }
  return g;
}

/// Rotate the s axis (3 variables from kAxis) by the step and compute all rates. The axis rotates with the
/// beam's vector and, about that vector, with the mean spin of the nodes.
template <class V>
void move_frame(const GroupParameters& group, const Motion<V, 2, true>& motion, const Step<V>& of,
                const StateBefore<V>& before, const StateAfter<V>& after, BeamMotion<V>& m) {
  using T = simd::scalar_t<V>;
  const auto living = of.living;
  const V dt = V(static_cast<T>(of.dt)), half = V(static_cast<T>(0.5)), zero = V(static_cast<T>(0));
  const BeamLine<V> g = beam_line(motion);
  V w[2][3], old_s[3], middle[3], e1[3];
  for (int a = 0; a < 2; ++a) {
    for (int i = 0; i < 3; ++i) w[a][i] = simd::select(living, motion.w[a][i], zero);
    if (!group.turns_far) cayley_rate(w[a], dt);
  }
  for (int i = 0; i < 3; ++i) {
    old_s[i] = simd::select(living, before.load(beam::kAxis + i), V(static_cast<T>(i == 1 ? 1 : 0)));
    middle[i] = g.along[i] - half * dt * g.velocity[i];
  }
  const V mid_length = normalise(middle, e1);

  // Spin of the frame: e1 x velocity / length across the beam, the nodes' mean spin along it.
  V omega[3], turn[3], new_s[3], near_s[3];
  cross3(e1, g.velocity, omega);
  const V twist = half * (dot3(w[0], e1) + dot3(w[1], e1));
  for (int i = 0; i < 3; ++i) omega[i] = half * dt * (omega[i] / mid_length + twist * e1[i]);
  // Cayley rotation of s: s + 2 / (1 + a.a) (a x s + a x (a x s)).
  const V f = V(static_cast<T>(2)) / (V(static_cast<T>(1)) + dot3(omega, omega));
  V second[3];
  cross3(omega, old_s, turn);
  cross3(omega, turn, second);
  for (int i = 0; i < 3; ++i) {
    new_s[i] = old_s[i] + f * (turn[i] + second[i]);
    near_s[i] = old_s[i] + new_s[i];
  }
  m.mid_length = make_frame(middle, near_s, m.mid);
  m.length = make_frame(g.along, new_s, m.end);
  for (int i = 0; i < 3; ++i) {
    const V kept = before.load(beam::kAxis + i);
    after.store(beam::kAxis + i, simd::select(living, m.end[1][i], kept));
    m.stretch[i] = dot3(g.velocity, m.mid[i]);
    for (int a = 0; a < 2; ++a) m.spin[a][i] = dot3(w[a], m.mid[i]);
  }
}

/// Local vector (r, s, t components) of the end frame in global axes.
template <class V>
void to_global_axes(const V (&frame)[3][3], const V (&local)[3], V (&global)[3]) {
  for (int i = 0; i < 3; ++i)
    global[i] = frame[0][i] * local[0] + frame[1][i] * local[1] + frame[2][i] * local[2];
}

/// A beam's internal forces in global axes: `force` at node 2 and its opposite at node 1, moments at both.
template <class V>
void set_beam_forces(const V (&frame)[3][3], const V (&force)[3], const V (&moments)[2][3],
                     NodalForces<V, 2, true>& out) {
  to_global_axes(frame, force, out.f[1]);
  for (int i = 0; i < 3; ++i) out.f[0][i] = -out.f[1][i];
  for (int a = 0; a < 2; ++a) to_global_axes(frame, moments[a], out.m[a]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
