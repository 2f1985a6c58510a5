// What a run says of itself besides its progress, on the screen and in d3hsp.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "control/core_use.hpp"
#include "control/start_up.hpp"
#include "explicit/solver.hpp"
#include "output/recorder.hpp"

namespace crumple::control {

/// Messages of one run. Rank 0 writes; unless it says otherwise, every member must be called on every rank.
class RunMessages {
 public:
  RunMessages(const parallel::Communicator& comm, explicit_dynamics::Solver& solver,
              output::Recorder& recorder, int threads)
      : comm_(comm), solver_(solver), recorder_(recorder), cores_(comm, threads) {}

  /// Where the time before the first cycle went, as rank 0 saw it. Local.
  void start_up(StartUp start_up);
  /// Where springs of contacts are softened, as the run's step asks for. Local.
  void contact_limit() const;
  /// That nothing limits the step, where nothing does.
  void free_step() const;
  /// What mass scaling has added to which parts.
  void added_mass(const std::string& title);
  /// Welds that broke, with the forces in them.
  void broken_welds();
  /// Cycles in which contact may have begun late. Local.
  void late_sorts();

  /// How many elements of this rank were deleted since deleted_elements() was called last. Local.
  std::int64_t newly_deleted() const { return static_cast<std::int64_t>(solver_.deleted_here() - told_); }
  /// Elements deleted since the last call, a line each in d3hsp: time, part, and why as far as it is known.
  void deleted_elements();
  /// How many elements were deleted in all, on the screen. Local.
  void number_of_deleted() const;

  /// The elements that hold the step, and their parts, into d3hsp.
  /// @param if_others only if they are others than when they were listed last
  void smallest_steps(bool if_others = false);
  bool listing_due() const { return solver_.time() >= next_listing_; }
  /// Says when the step has fallen to a tenth of what it was, and what holds it. Cheap: for every cycle.
  void look_at_step();
  /// The step may be another one now: dynamic relaxation is over. Local.
  void forget_step() { step_told_ = 0; }

  /// Says once when exchange takes most of rank 0's time and its cores are shared with others. Local.
  void look_at_exchange();
  /// Seconds of each phase on each rank, on the screen and in the file `path`.
  void load(const std::string& path);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kFall = 0.1;  ///< of the step, that is said
  static constexpr int kFallsTold = 20;
  static constexpr std::size_t kStepsListed = 10;
  static constexpr double kTimeBetweenListings = 0.1;  ///< of the end time

  void step_has_fallen();
  std::string why_small(const explicit_dynamics::ElementName& element) const;

  const parallel::Communicator& comm_;
  explicit_dynamics::Solver& solver_;
  output::Recorder& recorder_;
  CoreUse cores_;
  double next_listing_ = std::numeric_limits<double>::infinity();  ///< of what holds the step
  std::vector<GlobalId> listed_;                                   ///< elements, ascending; on rank 0
  std::size_t told_ = 0;                                           ///< of this rank's deleted elements
  std::int64_t deleted_ = 0;                                       ///< on all ranks, of those told; on rank 0
  double step_told_ = 0;                                           ///< the largest step since one was told
  int falls_ = 0;
  bool exchange_told_ = false;
};

}  // namespace crumple::control
