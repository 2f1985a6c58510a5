// The one reduction of a cycle, under way while they work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// The largest of each of some numbers and the sums of some integers, neither of which depends on the order
/// of ranks, in one message a rank. One reduction at a time.
class PendingReduction {
 public:
  PendingReduction();
  PendingReduction(const PendingReduction&) = delete;
  PendingReduction& operator=(const PendingReduction&) = delete;
  ~PendingReduction();

  /// Room for `n_sums` integers of this rank, as many on every rank, to be filled before `start`.
  std::span<std::int64_t> sums(std::size_t n_sums);
  /// Of `maxima`, as many on every rank and none of them NaN, and of what was put into `sums`. Collective.
  void start(const Communicator& comm, std::span<const double> maxima);

  /// What `finish` knows, until the next `sums`.
  struct OfAll {
    std::span<const double> maxima;
    std::span<const std::int64_t> sums;
  };
  /// Waits for what was started. Collective.
  OfAll finish();

 private:
  void lay_out(std::size_t n_maxima);

  std::vector<std::int64_t> words_;  ///< how many maxima, these, and the sums; in one piece for MPI
  std::vector<std::int64_t> sums_;
  std::vector<double> maxima_;
  MPI_Op operation_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;  ///< all words as one item, so that MPI does not take them apart
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace crumple::parallel
