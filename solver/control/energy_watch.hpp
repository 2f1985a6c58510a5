// Ends a run when its energies show that the solution is no longer valid.
#pragma once

#include <cstdint>

#include "explicit/solver.hpp"

namespace crumple::control {

/// Checks the energy balance every kCycles cycles, with the same result on any number of ranks.
///
/// Central differences conserve the sum of kinetic energy v_{n-1/2} . v_{n+1/2}, internal energy and work
/// even if the step is unstable (kinetic energy is then negative), and energy that contact creates is counted
/// as negative sliding energy. So single terms, not their sum, are compared with the energy given to the
/// model.
class EnergyWatch {
 public:
  static constexpr std::int64_t kCycles = 100;  ///< between checks
  static constexpr double kRunaway = 10.0;      ///< times the energy given

  /// ENDENG and ENDMAS of the deck also end a run.
  explicit EnergyWatch(const model::Control& control) : control_(&control) {}

  bool due(std::int64_t cycle) const { return cycle % kCycles == 0; }

  /// Collective; the solver must have a snapshot of this cycle.
  /// @throws RunFailure CR-R104 when the ratio is off by more than ENDENG, CR-R105 for an energy that has
  /// grown without bound, with the part that has most of it, CR-R106 for more added mass than ENDMAS
  void look(explicit_dynamics::Solver& solver);

  void archive(state::Archive& archive);

 private:
  const model::Control* control_;
  double given_ = 0.0;  ///< largest so far: initial energy plus the size of external work
};

}  // namespace crumple::control
