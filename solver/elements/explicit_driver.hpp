// Runs an element function on the blocks of a group, for the explicit time step.
//
// Gather by prefetch, element, scatter to sums in fixed point. The state before and after are the same
// memory.
//
// A formulation is a struct. `choose(group, run)` calls `run` with the element (element.hpp) for the group's
// parameters. `flatten`: all functions that the element calls, except the law, are inlined into one function,
// so that vectors stay in registers (a fifth of the time of some kernels). `idle(group)` (optional) is true
// for groups that carry no force and do not limit the step. `one_by_one`: for few elements with branches, one
// lane at a time in double, whatever V is.
#pragma once

#include <cstdint>

#include "base/no_limit.hpp"
#include "elements/element.hpp"
#include "elements/gather.hpp"
#include "elements/kernel.hpp"
#include "elements/scatter.hpp"
#include "simd/vec.hpp"

#if __has_cpp_attribute(gnu::noclone)
#define CRUMPLE_FLAT [[gnu::flatten, gnu::noclone]]
#else  // Clang makes no clones
#define CRUMPLE_FLAT [[gnu::flatten]]
#endif

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Prefetch deletion flags, energies and new nodes (`KernelArguments::prefetch`) of the W lanes from `lane`
/// in the block after `block`.
template <int W, bool rotations, class T>
[[gnu::always_inline]] inline void prefetch_element(const KernelArguments<T>& a, std::int32_t block,
                                                    int lane) {
  if (block + 1 >= a.end) return;
  const std::size_t next = (static_cast<std::size_t>(block) + 1) * kLanes;
  prefetch_rows<W>(a.alive + next + lane, 1);
  prefetch_rows<W>(a.stable_step + next + lane, 1);
  prefetch_rows<W>(a.energy + next * kEnergies + lane, 2);
  if (!a.prefetch) return;
  for (std::int32_t row = a.first_prefetch[block + 1]; row < a.first_prefetch[block + 2]; ++row)
#pragma GCC unroll 16
    for (int l = lane; l < lane + W; ++l) {
      const std::int32_t node = a.prefetch[row * kLanes + l];
      simd::prefetch_far(a.x + node);
      simd::prefetch_far(a.v + node);
      if constexpr (rotations) simd::prefetch_far(a.w + node);
      simd::prefetch_far(a.loads + node);
    }
}

/// Gives lanes of deleted elements and padding a valid shape at rest, so that their stresses and history do
/// not change, whatever their nodes do.
template <class V, int N>
void stop_deleted_lanes(NodalMotion<V, N>& motion, simd::mask_t<V> living, const int (&shape)[N][3]) {
  if (simd::all(living)) return;
  for (int a = 1; a < N; ++a)
    for (int i = 0; i < 3; ++i) {
      motion.x[a][i] = simd::select(living, motion.x[a][i], V(shape[a][i]));
      motion.v[a][i] = simd::select(living, motion.v[a][i], V(0));
    }
}

/// `nodes` points at the first of these lanes in the block's table.
template <class Element, class V, class T>
inline void gather_motion(const KernelArguments<T>& a, const std::int32_t* nodes, simd::mask_t<V> living,
                          MotionOf<V, Element>& motion) {
  constexpr int N = Element::n_nodes;
  gather_relative(a.x, nodes, motion.x);
  if constexpr (requires { Element::absolute_velocity; }) {
    for (int n = 0; n < N; ++n) gather_vectors(a.v, nodes + n * kLanes, motion.v[n]);
  } else {
    gather_relative(a.v, nodes, motion.v);
  }
  if constexpr (Element::rotations)
    for (int n = 0; n < N; ++n) gather_vectors(a.w, nodes + n * kLanes, motion.w[n]);
  if constexpr (requires { Element::shape; }) stop_deleted_lanes(motion, living, Element::shape);
}

/// W elements, whose lanes start at `lane` of block `block`.
template <class V, class Element, class T>
inline void explicit_lanes(const KernelArguments<T>& a, const Element& element, std::int32_t block,
                           int lane) {
  const GroupParameters& g = *a.group;
  const std::size_t first = static_cast<std::size_t>(block) * kLanes;
  T* const alive_at = a.alive + first + lane;
  const V alive = simd::load<V>(alive_at);
  const auto living = alive > V(0);
  if (!simd::any(living)) return;
  const std::size_t n_vars = static_cast<std::size_t>(element.variables(g));
  T* const state = a.state + first * n_vars + lane;
  const std::int32_t* const nodes = a.nodes + first * Element::n_nodes + lane;
  const StateBefore<V, T> before{state, static_cast<std::ptrdiff_t>(n_vars * kLanes)};
  if constexpr (Element::prefetches) {
    element.prefetch(g, before);
    prefetch_element<simd::width_v<V>, Element::rotations>(a, block, lane);
  }
  MotionOf<V, Element> motion;
  gather_motion<Element, V>(a, nodes, living, motion);

  ForcesOf<V, Element> out;
  const Step<V> step{a.dt, a.time, living};
  element(g, motion, step, before, StateAfter<V, T>{state}, out);

  T* const step_at = a.stable_step + first + lane;
  const auto store_step = [&](simd::mask_t<V> where) {
    simd::store(step_at, simd::select(where, out.step, simd::load<V>(step_at)));
  };
  if constexpr (Element::only_step_at_start)
    if (step.dt == 0) return store_step(living);
  if constexpr (Element::rotations)
    scatter_subtract(a.loads, nodes, out.f, out.m, out.acts);
  else
    scatter_subtract(a.loads, nodes, out.f, out.acts);
  double* const energy = a.energy + first * kEnergies + lane;
  if constexpr (Element::drilling)
    if (g.drilling > 0) add_energy(energy, out.drilling, out.counts);
  if constexpr (requires { Element::internal_is_product; }) {
    if (simd::any(out.counts)) *energy += out.internal * out.stretch;
  } else {
    add_energy(energy, out.internal, out.counts);
  }
  if constexpr (Element::hourglass) add_energy(energy + kLanes, out.hourglass, out.counts);
  if constexpr (Element::damps)
    if (g.stiffness_damping != 0) add_energy(energy + 2 * kLanes, out.damping, out.counts);
  store_step(out.survives);
  simd::store(alive_at, simd::select(out.survives, alive, V(0)));
}

/// The same as one function. Nothing in it may be always_inline: such functions are inlined too early, and
/// GCC 12 then does not inline some of the others. A clone would not be flattened at all.
template <class V, class Element, class T>
CRUMPLE_FLAT void explicit_lanes_flat(const KernelArguments<T>& a, const Element& element, std::int32_t block,
                                      int lane) {
  explicit_lanes<V>(a, element, block, lane);
}

/// A kernel that sets "no limit" as the step of its elements and does nothing else.
template <class T>
inline void leave_idle(const KernelArguments<T>& a) {
  for (std::int64_t i = std::int64_t(a.begin) * kLanes; i < std::int64_t(a.end) * kLanes; ++i)
    if (a.alive[i] != 0) a.stable_step[i] = T(kNoLimit);
}

/// The kernel of a formulation.
template <class Formulation, class V>
void explicit_kernel(const KernelArguments<simd::scalar_t<V>>& a) {
  if constexpr (requires { Formulation::idle(*a.group); })
    if (Formulation::idle(*a.group)) return leave_idle(a);
  Formulation::choose(*a.group, [&](const auto& element) {
    using Lanes = std::conditional_t < requires { Formulation::one_by_one; }
    , double, V > ;
    for (std::int32_t block = a.begin; block < a.end; ++block)
      for (int lane = 0; lane < kLanes; lane += simd::width_v<Lanes>) {
        if constexpr (Formulation::flatten)
          explicit_lanes_flat<Lanes>(a, element, block, lane);
        else
          explicit_lanes<Lanes>(a, element, block, lane);
      }
  });
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements

#undef CRUMPLE_FLAT
