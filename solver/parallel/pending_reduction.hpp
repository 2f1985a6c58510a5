// The one reduction of a cycle. It is non-blocking: ranks work on until they need its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// Maxima of some numbers and sums of some integers, in one message per rank. Neither depends on the order of
/// ranks. One reduction at a time.
class PendingReduction {
 public:
  PendingReduction();
  PendingReduction(const PendingReduction&) = delete;
  PendingReduction& operator=(const PendingReduction&) = delete;
  ~PendingReduction();

  /// Memory for `n_sums` integers of this rank, to be filled before `start`. `n_sums` is the same on every
  /// rank.
  std::span<std::int64_t> sums(std::size_t n_sums);
  /// Starts the reduction of `maxima` (as many on every rank, none of them NaN) and of `sums`. Collective.
  void start(const Communicator& comm, std::span<const double> maxima);

  /// Results over all ranks, valid until the next call of `sums`.
  struct Result {
    std::span<const double> maxima;
    std::span<const std::int64_t> sums;
  };
  /// Waits for the reduction that was started. Collective.
  Result finish();

 private:
  void lay_out(std::size_t n_maxima);

  std::vector<std::int64_t> words_;  ///< number of maxima, maxima, sums: one item for MPI
  std::vector<std::int64_t> sums_;
  std::vector<double> maxima_;
  const Communicator* comm_ = nullptr;  ///< of the reduction that was started
  MPI_Op operation_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;  ///< all words as one item, so that MPI does not split them
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace crumple::parallel
