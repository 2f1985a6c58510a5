// A copy of the state in memory, from which an error that ends the run leaves a dump.
//
// A step changes the state before it can find an error: stresses, contacts and deletions are of the new
// moment when the smallest step of all elements is reduced, and an overflow is told to all ranks one cycle
// later. So the state at an error is no good one, and a dump needs a copy of an earlier moment. Copies are
// taken one cycle after a check of energies, so seldom that they take little of the time, and count as good
// when the next cycle has passed. The copy before stays until then where that takes little memory; else an
// error in just that cycle leaves none.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "parallel/communicator.hpp"
#include "restart/index.hpp"
#include "restart/state_copy.hpp"

namespace crumple::control {

/// The last good moment of one run. Members must be called on every rank, except those marked "Local".
class LastGood {
 public:
  static constexpr double kOfTime = 0.004;       ///< of the run, at most, that copies take
  static constexpr double kOfMemory = 0.25;      ///< of what a machine has left, at most
  static constexpr double kLittleMemory = 0.01;  ///< of it: so much may two copies take unasked
  static constexpr std::int64_t kLeast = 200;    ///< cycles between copies
  static constexpr std::int64_t kWithoutClock = 1000;

  /// @param between cycles between copies, 0: none; empty: by the time that they take
  LastGood(const parallel::Communicator& comm, std::optional<std::int64_t> between, bool by_clock)
      : comm_(&comm),
        asked_(between),
        off_(between == 0),
        interval_(by_clock ? kLeast : kWithoutClock),
        by_clock_(by_clock) {}

  /// A part of the run begins: at first, or after dynamic relaxation. An earlier copy stays. Local.
  void begin(std::int64_t cycle);
  /// Whether a copy is due before this cycle, on all ranks. Local.
  bool due(std::int64_t cycle) const { return !off_ && cycle >= next_; }
  /// @param index of a dump of this moment, without streams; on rank 0
  void take(const restart::Index& index, std::int64_t cycle, const restart::Say& say);
  /// A dump of this moment was written. Local.
  void written(std::int64_t cycle);
  /// A cycle has passed without an error. Local.
  void passed();

  /// Whether there is a copy of a good moment of which there is no dump. Local.
  bool good() const { return has_good_; }
  const restart::StateCopy& copy() const { return good_.copy; }
  const restart::Index& index() const { return good_.index; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    restart::StateCopy copy;
    restart::Index index;
  };

  bool fits(const restart::Say& say);
  void give_up(const std::string& why);
  void wait_from(std::int64_t cycle);

  const parallel::Communicator* comm_;
  std::optional<std::int64_t> asked_;
  bool off_;
  std::int64_t interval_;
  bool by_clock_;
  bool has_good_ = false, has_new_ = false;
  bool both_ = false;      ///< there is memory for a good copy and a new one
  bool looked_ = false;    ///< whether a copy fits
  bool replaced_ = false;  ///< by a dump, if the next cycle passes
  std::int64_t next_ = 0, since_cycle_ = 0;
  Clock::time_point since_;
  Moment good_, new_;
};

}  // namespace crumple::control
