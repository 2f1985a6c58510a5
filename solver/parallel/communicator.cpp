// Calls of MPI behind Communicator.
#include "parallel/communicator.hpp"

#include <algorithm>
#include <climits>
#include <numeric>

#include "base/error.hpp"

namespace crumple::parallel {

namespace {

int count_of(std::size_t n) {
  if (n > static_cast<std::size_t>(INT_MAX))
    throw Error("CR-P001", "a message of more than 2 GiB is needed; use more ranks", {}, Exit::system);
  return static_cast<int>(n);
}

std::vector<int> displacements(const std::vector<int>& counts) {
  std::vector<int> at(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), at.begin(), 0);
  return at;
}

}  // namespace

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

void Communicator::sum(std::span<std::int64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_INT64_T, MPI_SUM, comm_);
}

std::int64_t Communicator::sum(std::int64_t value) const {
  sum(std::span{&value, 1});
  return value;
}

double Communicator::min(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return value;
}

double Communicator::max(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return value;
}

std::int64_t Communicator::min(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MIN, comm_);
  return value;
}

std::int64_t Communicator::max(std::int64_t value) const {
  max(std::span{&value, 1});
  return value;
}

void Communicator::max(std::span<std::int64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_INT64_T, MPI_MAX, comm_);
}

void Communicator::max(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_DOUBLE, MPI_MAX, comm_);
}

bool Communicator::any(bool value) const { return max(std::int64_t{value}) != 0; }

void Communicator::broadcast(std::vector<std::byte>& bytes, int root) const {
  std::int64_t n = static_cast<std::int64_t>(bytes.size());
  MPI_Bcast(&n, 1, MPI_INT64_T, root, comm_);
  bytes.resize(static_cast<std::size_t>(n));
  constexpr std::int64_t piece = 1 << 30;
  for (std::int64_t at = 0; at < n; at += piece)
    MPI_Bcast(bytes.data() + at, static_cast<int>(std::min(piece, n - at)), MPI_BYTE, root, comm_);
}

std::vector<std::vector<std::byte>> Communicator::all_to_all(
    const std::vector<std::vector<std::byte>>& send) const {
  std::vector<std::int64_t> to(size_), from(size_);
  for (int r = 0; r < size_; ++r) to[r] = static_cast<std::int64_t>(send[r].size());
  MPI_Alltoall(to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, comm_);
  std::vector<std::vector<std::byte>> received(size_);
  std::vector<MPI_Request> requests;
  constexpr int tag = 71;
  for (int r = 0; r < size_; ++r) {
    received[r].resize(static_cast<std::size_t>(from[r]));
    if (r == rank_) {
      received[r] = send[r];
    } else if (from[r] > 0) {
      MPI_Irecv(received[r].data(), count_of(received[r].size()), MPI_BYTE, r, tag, comm_,
                &requests.emplace_back());
    }
  }
  for (int r = 0; r < size_; ++r)
    if (r != rank_ && to[r] > 0)
      MPI_Isend(send[r].data(), count_of(send[r].size()), MPI_BYTE, r, tag, comm_, &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return received;
}

std::vector<int> Communicator::gather_counts(std::size_t bytes) const {
  const int n = count_of(bytes);
  std::vector<int> counts(root() ? size_ : 0);
  MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm_);
  return counts;
}

std::size_t Communicator::total(const std::vector<int>& counts) {
  const auto sum = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  count_of(sum);
  return sum;
}

void Communicator::gather_bytes(std::span<const std::byte> mine, const std::vector<int>& counts,
                                std::byte* all) const {
  const auto at = displacements(counts);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all, counts.data(), at.data(), MPI_BYTE,
              0, comm_);
}

std::vector<std::byte> Communicator::all_gather_bytes(std::span<const std::byte> mine) const {
  const int n = count_of(mine.size());
  std::vector<int> counts(size_);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  std::vector<std::byte> all(static_cast<std::size_t>(total));
  count_of(all.size());
  const auto at = displacements(counts);
  MPI_Allgatherv(mine.data(), n, MPI_BYTE, all.data(), counts.data(), at.data(), MPI_BYTE, comm_);
  return all;
}

void Communicator::barrier() const { MPI_Barrier(comm_); }

}  // namespace crumple::parallel
