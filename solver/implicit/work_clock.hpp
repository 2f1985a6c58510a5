// What an implicit run has done: seconds of its parts, and how often it did the costly ones. A profiler is
// told of the parts, too.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "base/at_work.hpp"
#include "crumple_phase.h"

namespace crumple::implicit {

enum class Part : int {
  ordering,   ///< of the equations
  symbolic,   ///< numbering of unknowns, pattern and symbolic factor
  stiffness,  ///< of elements and loads, and its assembly
  factor,
  solve,
  forces,   ///< of elements, loads and inertia
  contact,  ///< search, forces and stiffness
  accept,   ///< the state at the end of a step
  output,
  other,
  count
};

inline constexpr int kParts = static_cast<int>(Part::count);
inline constexpr std::array<const char*, kParts> kPartNames{
    "ordering", "symbolic", "stiffness", "factor", "solve", "forces", "contact", "accept", "output", "other"};

/// Totals since the start of the run.
struct WorkDone {
  std::array<double, kParts> seconds{};
  std::int64_t factors = 0, solves = 0;
  std::int64_t forces = 0;       ///< evaluations, those beside a stiffness included
  std::int64_t refinements = 0;  ///< steps of solutions after the first
  double residual = 0;           ///< largest |b - K x| / |b| of refined solutions
  double flops = 0;              ///< of all factors
  double factor_bytes = 0;       ///< most memory of a factor
};

/// Each moment belongs to one part: that of the innermost scope.
class WorkClock {
 public:
  class Scope {
   public:
    Scope(WorkClock& clock, Part part) : clock_(clock), outer_(clock.now_) { clock_.turn_to(part); }
    ~Scope() { clock_.turn_to(outer_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    WorkClock& clock_;
    Part outer_;
  };

  Scope time(Part part) { return Scope(*this, part); }
  /// Seconds that one part has measured within another.
  void move(Part from, Part to, double seconds) {
    done.seconds[static_cast<std::size_t>(from)] -= seconds;
    done.seconds[static_cast<std::size_t>(to)] += seconds;
  }
  /// With the seconds up to now.
  const WorkDone& up_to_now() {
    turn_to(now_);
    return done;
  }

  WorkDone done;

 private:
  using Clock = std::chrono::steady_clock;
  void turn_to(Part part) {
    const Clock::time_point at = Clock::now();
    done.seconds[static_cast<std::size_t>(now_)] += std::chrono::duration<double>(at - since_).count();
    since_ = at;
    now_ = part;
    crumple_phase(kPartNames[static_cast<std::size_t>(part)], at_work().cycle);
  }

  Part now_ = Part::other;
  Clock::time_point since_ = Clock::now();
};

}  // namespace crumple::implicit
