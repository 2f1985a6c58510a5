// Whether ranks have their cores for themselves.
#pragma once

#include <chrono>
#include <string>

#include "base/timers.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Core use of this rank, and of all ranks of its node.
class CoreUse {
 public:
  /// Collective.
  CoreUse(const parallel::Communicator& comm, int threads);

  /// The reason why ranks wait for each other, if waiting takes most of the time since construction: more
  /// ranks or threads than cores, or other programs. Empty if it does not, or if the reason is not known.
  /// Local.
  std::string why_waiting(const Timers& timers) const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kMost = 0.5;       ///< fraction of the time of all phases
  static constexpr double kLeast = 3.0;      ///< s, before which nothing is reported
  static constexpr double kWholeCore = 0.8;  ///< fraction of time of a busy thread on its own core

  int ranks_here_ = 1, threads_ = 1, cores_ = 1, cores_of_rank_ = 1;
  bool alone_ = true;  ///< the only rank of the run
  Clock::time_point start_ = Clock::now();
  double processor_ = 0;  ///< s of the main thread at the start
};

}  // namespace crumple::control
