// What all ranks must agree on in a cycle, in one reduction that is under way while they work on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// The largest of some numbers and the sums of others. One reduction at a time.
class Agreement {
 public:
  static constexpr std::size_t kMaxima = 2;
  using Maxima = std::array<double, kMaxima>;

  Agreement() = default;
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  ~Agreement();

  /// Collective. The number of sums is the same in all calls, and on all ranks.
  void start(const Communicator& comm, const Maxima& maxima, std::span<const std::int64_t> sums);
  /// Collective: they wait for what was started.
  Maxima maxima();
  std::span<const std::int64_t> sums();

 private:
  void prepare(std::size_t n_sums);
  void finish() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

  std::vector<std::int64_t> words_;  ///< the bits of the maxima, then the sums
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op combine_ = MPI_OP_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace crumple::parallel
