// Whether ranks have the cores they compute on for themselves.
#pragma once

#include <chrono>
#include <string>

#include "base/timers.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Of this rank, and of all ranks of its node.
class CoreUse {
 public:
  /// Collective.
  CoreUse(const parallel::Communicator& comm, int threads);

  /// Why ranks wait for each other longer than they must, where that takes most of the time since this was
  /// constructed: more ranks or threads than cores, or other programs. Empty where it does not, or where it
  /// is not known why. Local.
  std::string why_waiting(const Timers& timers) const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kMost = 0.5;       ///< of the time of all phases
  static constexpr double kLeast = 3.0;      ///< s, before which nothing is said
  static constexpr double kWholeCore = 0.8;  ///< of its time, that a thread which never sleeps gets alone

  int ranks_here_ = 1, threads_ = 1, cores_ = 1, cores_of_rank_ = 1;
  bool alone_ = true;  ///< the only rank of the run
  Clock::time_point start_ = Clock::now();
  double processor_ = 0;  ///< s of the main thread at the start
};

}  // namespace crumple::control
