// A maximum over all ranks that is under way while they work on.
#pragma once

#include <array>
#include <cstddef>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// The largest of each of N numbers. One reduction at a time.
template <std::size_t N>
class PendingMax {
 public:
  PendingMax() = default;
  PendingMax(const PendingMax&) = delete;
  PendingMax& operator=(const PendingMax&) = delete;
  ~PendingMax() { finish(); }

  /// Collective.
  void start(const Communicator& comm, const std::array<double, N>& mine) {
    values_ = mine;
    MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(N), MPI_DOUBLE, MPI_MAX, comm.mpi(),
                   &request_);
  }
  /// Collective. Waits for what was started.
  const std::array<double, N>& finish() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    return values_;
  }

 private:
  std::array<double, N> values_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace crumple::parallel
