// How a rank waits for messages, alone on its core or beside others.
#pragma once

#include <mpi.h>

#include <chrono>
#include <span>
#include <utility>

#include "parallel/core_binding.hpp"
#include "parallel/core_demand.hpp"

namespace crumple::parallel {

/// MPI's own waiting keeps a core busy, which is fastest as long as cores suffice. Where they are short it
/// takes whole time slices from what it waits for. Then this rank tests for its messages, and between tests
/// leaves the core to others. Ranks may differ in this. Used by the main thread only.
class Waiting {
 public:
  Waiting();
  /// @param cores that the machine is taken to have
  explicit Waiting(int cores);

  /// What else of the run is on this machine. Default: one thread.
  /// @param threads of all ranks
  /// @param together ranks were started in one session, so that the system lets them yield to each other
  void set_neighbours(int threads, bool together);
  /// Pin threads while cores suffice.
  void pin(CoreBinding binding) { binding_ = std::move(binding); }
  bool pinned() const { return binding_.bound(); }

  /// Looks, every now and then, whether cores are short. While they are, threads are not pinned: the system
  /// has to move them. Called before each wait, and in each cycle of a run.
  void look();
  /// Waits until all requests are complete. Local.
  /// @param statuses as many as requests, or none
  void until_complete(std::span<MPI_Request> requests, std::span<MPI_Status> statuses = {});

  /// Whether all waiting is left to MPI: a profiler is loaded, which measures how long its functions take and
  /// which of them are called. The same on all ranks.
  bool left_to_mpi() const { return left_to_mpi_; }

 private:
  using Clock = CoreDemand::Clock;
  void leave_core();

  CoreDemand demand_;
  CoreBinding binding_;
  bool left_to_mpi_, together_ = false;
  Clock::time_point counted_from_{};    ///< of what yields gave away
  Clock::duration given_away_{};        ///< time of long yields since then
  Clock::time_point sleeping_until_{};  ///< until then a yield gives too much away
  Clock::time_point pinned_again_{};
  Clock::duration pause_ = std::chrono::seconds(1);  ///< without pinning, doubled each time
};

}  // namespace crumple::parallel
