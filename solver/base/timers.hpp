// Seconds of each phase of a run on this rank; they are also reported to a profiler.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "base/at_work.hpp"
#include "crumple_phase.h"

namespace crumple {

enum class Phase : int { elements, contact, loads, exchange, constraints, output, count };

inline constexpr std::array<const char*, static_cast<int>(Phase::count)> kPhaseNames{
    "elements", "contact", "loads", "exchange", "constraints", "output"};

class Timers {
 public:
  /// Adds the time of a scope to a phase.
  class Scope {
   public:
    Scope(Timers& timers, Phase phase) : timers_(timers), phase_(phase), start_(Clock::now()) {
      at_work().phase = static_cast<int>(phase);
      crumple_phase(kPhaseNames[static_cast<int>(phase)], timers.cycle_);
    }
    ~Scope() {
      crumple_phase(nullptr, timers_.cycle_);
      at_work().phase = AtWork::kNoPhase;
      timers_.seconds_[static_cast<int>(phase_)] +=
          std::chrono::duration<double>(Clock::now() - start_).count();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    Timers& timers_;
    Phase phase_;
    Clock::time_point start_;
  };

  void begin_cycle(std::int64_t cycle) { cycle_ = at_work().cycle = cycle; }
  Scope time(Phase phase) { return Scope(*this, phase); }
  double seconds(Phase phase) const { return seconds_[static_cast<int>(phase)]; }

 private:
  std::array<double, static_cast<int>(Phase::count)> seconds_{};
  std::int64_t cycle_ = -1;
};

}  // namespace crumple
