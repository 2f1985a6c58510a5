// Input and output of an element function.
//
// An element is a small struct with a call operator,
//
//   element(group, motion, step, before, after, forces);
//
// on a vector type V: W elements at once (explicit_driver.hpp), or one with derivatives (tangent_driver.hpp).
// It is pure: the driver reads nodes and writes sums. Its members hold data of the whole group. It has
//
//   n_nodes, rotations                  number of nodes; whether they have rotations
//   variables(group)                    number of state variables
//   prefetches, prefetch(group, before) whether and what it prefetches of the state of the next block
//   hourglass, drilling, damps          which energies it returns beside the internal one; `damps` only
//                                       where the group has stiffness damping
//   only_step_at_start                  in the first call, dt = 0, it returns only the step
//   shape (optional)                    a valid shape for lanes without an element
//   absolute_velocity (optional)        velocities are not relative to the first node
//   internal_is_product (optional)      the internal energy is `internal` times `stretch` (one rounding less)
//   given_variable(group) (optional)    a state variable that is set from outside before each step
#pragma once

#include <cstddef>

#include "elements/kernel.hpp"
#include "elements/prefetch.hpp"
#include "simd/dual.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Motion of the N nodes of W elements, global axes, relative to node 0 (whose x and v are zero).
template <class V, int N>
struct NodalMotion {
  V x[N][3];  ///< at t_n
  V v[N][3];  ///< at t_{n-1/2}
};
template <class V, int N, bool rotations>
struct Motion : NodalMotion<V, N> {};
template <class V, int N>
struct Motion<V, N, true> : NodalMotion<V, N> {
  V w[N][3];  ///< angular velocity at t_{n-1/2}, absolute
};

/// The step that ends at t_n.
template <class V>
struct Step {
  double dt;               ///< t_n - t_{n-1}; 0 in the very first call, which only finds stable steps
  double time;             ///< t_n
  simd::mask_t<V> living;  ///< other lanes are deleted or padding: their state does not change
};

/// State at the beginning of the step: variable k of the lanes. T is the precision of memory.
template <class V, class T = simd::scalar_t<V>>
struct StateBefore {
  const T* first;
  std::ptrdiff_t next_block;  ///< distance to the same lanes of the next block

  V load(int k) const { return simd::load<V>(first + k * kLanes); }
  /// Prefetch n variables from variable k of the next block's elements.
  [[gnu::always_inline]] void prefetch(int k, int n) const {
    prefetch_rows<simd::width_v<V>>(first + next_block + k * kLanes, n);
  }
};

/// With derivatives: one variable can be among what forces are differentiated by.
template <class V, class T>
requires simd::is_dual_v<V>
struct StateBefore<V, T> {
  const T* first;
  std::ptrdiff_t next_block;
  int varied = -1, direction = -1;

  V load(int k) const {
    V value = simd::load<V>(first + k * kLanes);
    if (k == varied) simd::set_variable(value, first[k * kLanes], direction);
    return value;
  }
  static void prefetch(int, int) {}  // there is no next block
};

/// State at the end of the step. It starts as a copy of the state before, or is the same memory: an element
/// must read a variable before it writes it.
template <class V, class T = simd::scalar_t<V>>
struct StateAfter {
  T* first;

  void store(int k, V value) const { simd::store(first + k * kLanes, value); }
  /// Variables from k on that are updated in place: points of laws.
  T* from(int k) const { return first + k * kLanes; }
};

/// Internal forces on the nodes, global axes.
template <class V, int N, bool rotations>
struct NodalForces {
  V f[N][3];
};
template <class V, int N>
struct NodalForces<V, N, true> {
  V f[N][3], m[N][3];
};

/// Result of an element function. Energies are those of this step.
template <class V, int N, bool rotations>
struct Forces : NodalForces<V, N, rotations> {
  V step;  ///< largest stable step, unscaled
  V internal, hourglass, damping, drilling;
  V stretch;                 ///< only with `internal_is_product`
  simd::mask_t<V> survives;  ///< not deleted in this step
  simd::mask_t<V> acts;      ///< its forces count
  simd::mask_t<V> counts;    ///< its energies count
};
template <class V, class Element>
using ForcesOf = Forces<V, Element::n_nodes, Element::rotations>;
template <class V, class Element>
using MotionOf = Motion<V, Element::n_nodes, Element::rotations>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
