// Cohesive elements with offsets, for layers between shells (ELFORM 20 and 22).
//
// The nodes are those of two shells, the layer lies between them: half way, or where COHOFF says, from -1 (at
// the lower shell) to 1. A rigid arm joins each node to its corner of the layer. It has the length of that at
// the start and turns with the node's rotation (LS-DYNA Keyword User's Manual, *SECTION_SOLID, remarks on
// cohesive elements 20 and 22). The layer is the cohesive element of cohesive.hpp between the ends of the
// arms, which are in one place at the start. Its forces act on the nodes with the moments arm x force, so
// that their power is that on the layer, and a rigid motion of nodes and rotations does no work.
//
// The mass of a surface lies at the end of its arm, so a node has the inertia m arm^2. With a velocity v + w
// x arm of the layer the frequency is then at most the root of two times that of the layer alone, and the
// step is divided by it.
#pragma once

#include "elements/solid/cohesive.hpp"
#include "simd/math.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Turns `arm` by the rotation vector `turn`: Rodrigues' formula, by the series of sin(a)/a and (1 -
/// cos(a))/a^2 to a^6, exact to 1e-10 for steps of 10 degrees.
template <class V>
void turn_arm(const V (&turn)[3], V (&arm)[3]) {
  const auto constant = [](double c) { return V(static_cast<simd::scalar_t<V>>(c)); };
  const V a2 = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
  const V first =
      constant(1) - a2 * (constant(1.0 / 6) - a2 * (constant(1.0 / 120) - a2 * constant(1.0 / 5040)));
  const V second =
      constant(0.5) - a2 * (constant(1.0 / 24) - a2 * (constant(1.0 / 720) - a2 * constant(1.0 / 40320)));
  V once[3], twice[3];
  cross_product(turn, arm, once);
  cross_product(turn, once, twice);
  for (int i = 0; i < 3; ++i) arm[i] += first * once[i] + second * twice[i];
}

template <int corners>
struct OffsetCohesiveElement {
  using Layer = CohesiveElement<corners>;
  static constexpr int n_nodes = 2 * corners;
  static constexpr auto& shape = Layer::shape;
  static constexpr bool rotations = true, prefetches = false, hourglass = false, drilling = false,
                        damps = false, only_step_at_start = true;

  static int variables(const GroupParameters& group) {
    return cohesive::n_variables(group, corners) + 3 * n_nodes;
  }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, n_nodes, true>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after,
                  Forces<V, n_nodes, true>& out) const {
    using T = simd::scalar_t<V>;
    const V dt = V(static_cast<T>(of.dt)), rate = V(static_cast<T>(of.dt > 0 ? 1 / of.dt : 0));
    const int first = cohesive::n_variables(group, corners);
    Motion<V, n_nodes, false> ends;
    V arms[n_nodes][3];
    for (int n = 0; n < n_nodes; ++n) {
      V turn[3], old[3];
      for (int i = 0; i < 3; ++i) {
        turn[i] = dt * motion.w[n][i];
        arms[n][i] = old[i] = before.load(first + 3 * n + i);
      }
      turn_arm(turn, arms[n]);
      for (int i = 0; i < 3; ++i) {
        ends.x[n][i] = motion.x[n][i] + arms[n][i];
        ends.v[n][i] = motion.v[n][i] + rate * (arms[n][i] - old[i]);
        if (of.dt != 0) after.store(first + 3 * n + i, simd::select(of.living, arms[n][i], old[i]));
      }
    }
    Forces<V, n_nodes, false> of_layer{};
    Layer()(group, ends, of, before, after, of_layer);
    out.step = V(static_cast<T>(0.70710678118654752440)) * of_layer.step;  // 1 / root of 2
    if (of.dt == 0) return;
    for (int n = 0; n < n_nodes; ++n) {
      for (int i = 0; i < 3; ++i) out.f[n][i] = of_layer.f[n][i];
      cross_product(arms[n], out.f[n], out.m[n]);
    }
    out.internal = of_layer.internal;
    out.survives = of_layer.survives;
    out.acts = of_layer.acts;
    out.counts = of_layer.counts;
  }
};

template <int corners>
struct OffsetCohesiveForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(OffsetCohesiveElement<corners>());
  }
};
using OffsetCohesiveQuadForm = OffsetCohesiveForm<4>;
using OffsetCohesiveTriangleForm = OffsetCohesiveForm<3>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
