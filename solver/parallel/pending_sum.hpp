// Sums over all ranks that are under way while they work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// The sum of each of some integers, which does not depend on their order. One reduction at a time.
class PendingSum {
 public:
  PendingSum() = default;
  PendingSum(const PendingSum&) = delete;
  PendingSum& operator=(const PendingSum&) = delete;
  ~PendingSum() { finish(); }

  /// Room for this rank's `n` numbers, until they are summed.
  std::span<std::int64_t> room(std::size_t n) {
    values_.resize(n);
    return values_;
  }
  /// Of what was put there, as many on every rank; nothing is sent for none. Collective.
  void start(const Communicator& comm) {
    if (values_.empty()) return;
    MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(values_.size()), MPI_INT64_T, MPI_SUM,
                   comm.mpi(), &request_);
  }
  /// Collective. Waits for what was started.
  std::span<const std::int64_t> finish() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    return values_;
  }

 private:
  std::vector<std::int64_t> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace crumple::parallel
