// Calls of MPI behind Communicator.
#include "parallel/communicator.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <numeric>

#include "base/error.hpp"
#include "parallel/machine_ranks.hpp"
#include "parallel/waiting.hpp"

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

Communicator::Communicator(MPI_Comm comm) : comm_(comm), waiting_(std::make_shared<Waiting>()) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

void Communicator::settle(int threads, std::span<const std::vector<int>> cores) const {
  if (waiting_->left_to_mpi() && cores.empty()) return;  // nothing new in traces
  const MachineRanks here(comm_);
  const int ranks_here = here.size();
  const auto session = static_cast<std::int64_t>(::getsid(0));
  std::array<std::int64_t, 2> limits{session, -session};
  MPI_Allreduce(MPI_IN_PLACE, limits.data(), 2, MPI_INT64_T, MPI_MAX, here.mpi());
  waiting_->set_neighbours(ranks_here * threads, limits[0] == -limits[1]);
  if (ranks_here == size_ && std::ssize(cores) == size_) waiting_->pin(CoreBinding(cores[rank_]));
}

std::int64_t Communicator::sum_on_machine(std::int64_t value) const {
  if (waiting_->left_to_mpi()) return sum(value);  // nothing new in traces
  const MachineRanks here(comm_);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, here.mpi());
  return value;
}

void Communicator::look_at_cores() const { waiting_->look(); }

bool Communicator::pinned() const { return waiting_->pinned(); }

void Communicator::wait(std::span<MPI_Request> requests, std::span<MPI_Status> statuses) const {
  waiting_->until_complete(requests, statuses);
}

/// The arguments are those of the blocking function up to its communicator.
template <class Blocking, class Nonblocking, class... Arguments>
void Communicator::collective(Blocking blocking, Nonblocking nonblocking, Arguments... arguments) const {
  if (size_ == 1 || waiting_->left_to_mpi()) {
    blocking(arguments..., comm_);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  nonblocking(arguments..., comm_, &request);
  wait({&request, 1});
}

void Communicator::reduce(void* values, std::size_t n, MPI_Datatype type, MPI_Op operation) const {
  collective(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, values, count_of(n), type, operation);
}

void Communicator::sum(std::span<std::int64_t> values) const {
  reduce(values.data(), values.size(), MPI_INT64_T, MPI_SUM);
}

std::int64_t Communicator::sum(std::int64_t value) const {
  sum(std::span{&value, 1});
  return value;
}

double Communicator::min(double value) const {
  reduce(&value, 1, MPI_DOUBLE, MPI_MIN);
  return value;
}

double Communicator::max(double value) const {
  reduce(&value, 1, MPI_DOUBLE, MPI_MAX);
  return value;
}

std::int64_t Communicator::min(std::int64_t value) const {
  reduce(&value, 1, MPI_INT64_T, MPI_MIN);
  return value;
}

std::int64_t Communicator::max(std::int64_t value) const {
  max(std::span{&value, 1});
  return value;
}

void Communicator::max(std::span<std::int64_t> values) const {
  reduce(values.data(), values.size(), MPI_INT64_T, MPI_MAX);
}

void Communicator::max(std::span<double> values) const {
  reduce(values.data(), values.size(), MPI_DOUBLE, MPI_MAX);
}

bool Communicator::any(bool value) const { return max(std::int64_t{value}) != 0; }

void Communicator::broadcast(std::vector<std::byte>& bytes, int root) const {
  std::int64_t n = static_cast<std::int64_t>(bytes.size());
  collective(MPI_Bcast, MPI_Ibcast, &n, 1, MPI_INT64_T, root);
  bytes.resize(static_cast<std::size_t>(n));
  constexpr std::int64_t piece = 1 << 30;
  for (std::int64_t at = 0; at < n; at += piece)
    collective(MPI_Bcast, MPI_Ibcast, bytes.data() + at, static_cast<int>(std::min(piece, n - at)), MPI_BYTE,
               root);
}

std::vector<std::vector<std::byte>> Communicator::all_to_all(const std::vector<std::vector<std::byte>>& send,
                                                             int tag) const {
  std::vector<std::int64_t> to(size_), from(size_);
  for (int r = 0; r < size_; ++r) to[r] = static_cast<std::int64_t>(send[r].size());
  collective(MPI_Alltoall, MPI_Ialltoall, to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T);
  return deliver(send, from, tag);
}

std::vector<std::vector<std::byte>> Communicator::deliver(const std::vector<std::vector<std::byte>>& send,
                                                          std::span<const std::int64_t> sizes,
                                                          int tag) const {
  std::vector<std::vector<std::byte>> received(size_);
  std::vector<MPI_Request> requests;
  for (int r = 0; r < size_; ++r) {
    if (r == rank_) {
      received[r] = send[r];
    } else if (sizes[r] > 0) {
      received[r].resize(static_cast<std::size_t>(sizes[r]));
      MPI_Irecv(received[r].data(), count_of(received[r].size()), MPI_BYTE, r, tag, comm_,
                &requests.emplace_back());
    }
  }
  for (int r = 0; r < size_; ++r)
    if (r != rank_ && !send[r].empty())
      MPI_Isend(send[r].data(), count_of(send[r].size()), MPI_BYTE, r, tag, comm_, &requests.emplace_back());
  if (!requests.empty()) wait(requests);
  return received;
}

std::vector<int> Communicator::gather_counts(std::size_t bytes) const {
  const int n = count_of(bytes);
  std::vector<int> counts(root() ? size_ : 0);
  collective(MPI_Gather, MPI_Igather, &n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0);
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
  collective(MPI_Gatherv, MPI_Igatherv, mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all,
             counts.data(), at.data(), MPI_BYTE, 0);
}

std::vector<std::byte> Communicator::all_gather_bytes(std::span<const std::byte> mine) const {
  const int n = count_of(mine.size());
  std::vector<int> counts(size_);
  collective(MPI_Allgather, MPI_Iallgather, &n, 1, MPI_INT, counts.data(), 1, MPI_INT);
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  std::vector<std::byte> all(static_cast<std::size_t>(total));
  count_of(all.size());
  const auto at = displacements(counts);
  collective(MPI_Allgatherv, MPI_Iallgatherv, mine.data(), n, MPI_BYTE, all.data(), counts.data(), at.data(),
             MPI_BYTE);
  return all;
}

void Communicator::barrier() const { collective(MPI_Barrier, MPI_Ibarrier); }

}  // namespace crumple::parallel
