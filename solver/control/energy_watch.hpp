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

  /// @param end_change ENDENG: change of the energy ratio in percent that ends the run; 0 for any
  explicit EnergyWatch(double end_change) : end_change_(end_change) {}

  bool due(std::int64_t cycle) const { return cycle % kCycles == 0; }

  /// Collective; the solver must have kept the moment.
  /// @throws RunFailure CR-R104 when the ratio is off by more than ENDENG, CR-R105 for an energy that has
  /// run away, with the part that has most of it
  template <class T>
  void look(explicit_dynamics::Solver<T>& solver);

 private:
  double end_change_;
  double given_ = 0.0;  ///< largest so far: initial energy plus the size of external work
};

}  // namespace crumple::control
