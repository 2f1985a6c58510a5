// Messages of a run besides its progress, on the screen and in d3hsp.
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

/// Messages of one run. Rank 0 writes. Members must be called on every rank, except those marked "Local".
class RunMessages {
 public:
  RunMessages(const parallel::Communicator& comm, explicit_dynamics::Solver& solver,
              output::Recorder& recorder, int threads)
      : comm_(comm), solver_(solver), recorder_(recorder), cores_(comm, threads) {}

  /// Time of the phases before the first cycle, on rank 0. Local.
  void start_up(StartUp start_up);
  /// Reports if springs of contacts are softened because of the step. Local.
  void contact_limit() const;
  /// Reports if nothing limits the step.
  void free_step() const;
  /// Mass that mass scaling has added, by part.
  void added_mass(const std::string& title);
  /// Welds that broke, with the forces in them.
  void broken_welds();
  /// Cycles in which contact may have begun late. Local.
  void late_sorts();

  /// Number of elements of this rank that were deleted since the last call of deleted_elements(). Local.
  std::int64_t newly_deleted() const { return static_cast<std::int64_t>(solver_.deleted_here() - reported_); }
  /// Elements deleted since the last call, one line each in d3hsp: time, part, and the cause as far as it is
  /// known.
  void deleted_elements();
  /// Number of all deleted elements, on the screen. Local.
  void number_of_deleted() const;

  /// Lists the elements that limit the step, and their parts, in d3hsp.
  /// @param if_others only if they differ from the last list
  void smallest_steps(bool if_others = false);
  bool listing_due() const { return solver_.time() >= next_listing_; }
  /// Reports when the step has fallen to a tenth, and the element that limits it. Cheap enough for every
  /// cycle.
  void check_step();
  /// To be called when the step may jump: at the end of dynamic relaxation. Local.
  void forget_step() { reported_step_ = 0; }

  /// What has been reported, and which deletions have not.
  void archive(state::Archive& archive);

  /// Reports once if exchange takes most of rank 0's time and its cores are shared with others. Local.
  void check_exchange();
  /// Seconds of each phase on each rank, on the screen and in the file `path`.
  void load(const std::string& path);
  /// The same while the run goes on: in the file only, and every few seconds at most. Where the run is
  /// killed, the last one is left.
  void load_so_far(const std::string& path);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kFall = 0.1;  ///< factor of the step at which a fall is reported
  static constexpr int kFallsReported = 20;
  static constexpr std::size_t kStepsListed = 10;
  static constexpr double kTimeBetweenListings = 0.1;  ///< of the end time
  static constexpr std::chrono::seconds kBetweenLoads{5};

  void step_has_fallen();
  std::string why_small(const explicit_dynamics::ElementName& element) const;

  const parallel::Communicator& comm_;
  explicit_dynamics::Solver& solver_;
  output::Recorder& recorder_;
  CoreUse cores_;
  double next_listing_ = std::numeric_limits<double>::infinity();  ///< time of the next listing
  std::vector<GlobalId> listed_;  ///< kind and id of elements, ascending; on rank 0
  std::size_t reported_ = 0;      ///< this rank's reported deletions
  std::int64_t deleted_ = 0;      ///< all reported deletions; on rank 0
  double reported_step_ = 0;      ///< the largest step since the last report
  int falls_ = 0;
  bool exchange_reported_ = false;
  Clock::time_point last_load_ = Clock::now();
};

}  // namespace crumple::control
