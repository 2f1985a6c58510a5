// Ends a run whose energies show that it is no longer a solution.
#pragma once

#include <cstdint>

#include "explicit/solver.hpp"

namespace crumple::control {

/// Looks at the energy balance every so many cycles, the same on any number of ranks.
///
/// Central differences keep the sum of kinetic energy v_{n-1/2} . v_{n+1/2}, internal energy and work even
/// where the step is unstable (kinetic energy is negative then), and contact that creates energy books it
/// as negative sliding energy. So single terms are compared with what the model was given, not their sum.
class EnergyWatch {
 public:
  static constexpr std::int64_t kCycles = 100;  ///< between looks
  static constexpr double kRunaway = 10.0;      ///< times the energy given

  /// ENDENG and ENDMAS of the deck are what ends a run besides.
  explicit EnergyWatch(const model::Control& control) : control_(&control) {}

  bool due(std::int64_t cycle) const { return cycle % kCycles == 0; }

  /// Collective; the solver must have kept the moment.
  /// @throws RunFailure CR-R104 when the ratio is off by more than ENDENG, CR-R105 for an energy that has
  /// run away, with the part that has most of it, CR-R106 for more added mass than ENDMAS
  void look(explicit_dynamics::Solver& solver);

 private:
  const model::Control* control_;
  double given_ = 0.0;  ///< largest so far: initial energy plus the size of external work
};

}  // namespace crumple::control
