// Time of the phases before the first cycle.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/resources_used.hpp"

namespace crumple::control {

/// A clock that is read at the end of each phase. Of one rank; the others wait for rank 0 in the first
/// phases.
class StartUp {
 public:
  struct Phase {
    std::string name;
    double seconds = 0;    ///< elapsed time
    double processor = 0;  ///< processor time of this process; less than `seconds` if others use its core
    double memory = 0;     ///< bytes, the peak up to then
  };

  /// Assigns the time since the last call, or since the start, to `phase`.
  void done(std::string phase) {
    const auto now = Clock::now();
    const double used = processor_seconds();
    phases_.push_back(
        {std::move(phase), std::chrono::duration<double>(now - last_).count(), used - used_, peak_memory()});
    last_ = now;
    used_ = used;
  }
  /// Adds seconds that were measured elsewhere, of a phase without waiting.
  void add(std::string phase, double seconds) {
    phases_.push_back({std::move(phase), seconds, seconds, peak_memory()});
  }

  double total() const {
    double sum = 0.0;
    for (const Phase& phase : phases_) sum += phase.seconds;
    return sum;
  }
  const std::vector<Phase>& phases() const { return phases_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Phase> phases_;
  Clock::time_point last_ = Clock::now();
  double used_ = processor_seconds();
};

}  // namespace crumple::control
