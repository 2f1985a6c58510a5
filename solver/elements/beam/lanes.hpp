// What the lane loops of all beam kernels share: pointers into a block, and the end of a step.
#pragma once

#include "elements/beam/layout.hpp"
#include "elements/solid/gather.hpp"
#include "elements/stiffness_damping.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// W beams of block `b`, the first at `lane`.
template <class V>
struct BeamLanes {
  using T = simd::scalar_t<V>;
  const std::int32_t* nodes;
  T *state, *alive, *stable_step;
  double* energy;
  V alive_value;
  simd::mask_t<V> living;

  BeamLanes(const KernelArguments<T>& args, int n_vars, int b, int lane)
      : living(simd::load<V>(args.alive + static_cast<std::size_t>(b) * kLanes + lane) > V(0)) {
    const std::size_t block = static_cast<std::size_t>(b) * kLanes;
    nodes = args.nodes + block * 2 + lane;
    state = args.state + block * static_cast<std::size_t>(n_vars) + lane;
    alive = args.alive + block + lane;
    stable_step = args.stable_step + block + lane;
    energy = args.energy + block * kEnergies + lane;
    alive_value = simd::load<V>(alive);
  }

  V load(int variable) const { return simd::load<V>(state + variable * kLanes); }
  void store(int variable, V value) { simd::store(state + variable * kLanes, value); }

  void store_step(V step, simd::mask_t<V> where) {
    simd::store(stable_step, simd::select(where, step, simd::load<V>(stable_step)));
  }
  /// Energy taken by stiffness damping.
  void add_damping(V taken) { add_energy(energy + 2 * kLanes, taken, living); }
  /// Book the work, the step and who lives on.
  void finish(V work, V step, simd::mask_t<V> survives) {
    add_energy(energy, work, living);
    store_step(step, survives);
    simd::store(alive, simd::select(survives, alive_value, V(0)));
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
