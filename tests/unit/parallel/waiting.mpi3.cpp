// Three ranks wait for each other where cores suffice and where they are short.
#include "parallel/waiting.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <tuple>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::parallel {
namespace {

constexpr int kMany = 1'000'000;  ///< cores: they suffice

/// A message to each other rank and from it, received by `waiting`. The sum of what came.
int exchange(const Communicator& comm, Waiting& waiting, std::span<MPI_Status> statuses = {}) {
  const int mine = 10 + comm.rank();
  std::vector<int> from(static_cast<std::size_t>(comm.size()), 0);
  std::vector<MPI_Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    MPI_Irecv(&from[r], 1, MPI_INT, r, 5, comm.mpi(), &requests.emplace_back());
    MPI_Isend(&mine, 1, MPI_INT, r, 5, comm.mpi(), &requests.emplace_back());
  }
  waiting.until_complete(requests, statuses);
  int sum = 0;
  for (const int value : from) sum += value;
  for (const MPI_Request request : requests) EXPECT_EQ(request, MPI_REQUEST_NULL);
  return sum;
}

class WaitsFor : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(WaitsFor, AllMessages) {
  const Communicator comm;
  ASSERT_EQ(comm.size(), 3);
  const auto [cores, together] = GetParam();
  Waiting waiting(cores);
  waiting.set_neighbours(3, together);
  for (int round = 0; round < 200; ++round) EXPECT_EQ(exchange(comm, waiting), 23 - comm.rank());
  waiting.until_complete({});
}

TEST_P(WaitsFor, Statuses) {
  const Communicator comm;
  const auto [cores, together] = GetParam();
  Waiting waiting(cores);
  waiting.set_neighbours(3, together);
  std::array<MPI_Status, 4> statuses;
  exchange(comm, waiting, statuses);
  const int first = comm.rank() == 0 ? 1 : 0, second = comm.rank() == 2 ? 1 : 2;
  EXPECT_EQ(statuses[0].MPI_SOURCE, first);
  EXPECT_EQ(statuses[2].MPI_SOURCE, second);
}

INSTANTIATE_TEST_SUITE_P(Waiting, WaitsFor,
                         ::testing::Combine(::testing::Values(0, kMany), ::testing::Bool()));

/// Times that this thread has given up its core to sleep.
long sleeps() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

/// Rank 2 is late; the others sleep meanwhile, again and again. On a busy machine a nap of 50 us may take 10
/// ms.
TEST(Waiting, LeavesItsCoreWhereCoresAreShort) {
  const Communicator comm;
  Waiting waiting(0);
  waiting.set_neighbours(3, /*together=*/false);
  exchange(comm, waiting);
  const long before = sleeps();
  if (comm.rank() == 2) ::usleep(300'000);
  exchange(comm, waiting);
  EXPECT_GT(sleeps() - before, comm.rank() == 2 ? 0 : 20);
}

TEST(Communicator, CollectivesOfRanksThatShareCores) {
  const Communicator comm;
  comm.settle(1, {});
  EXPECT_EQ(comm.sum(std::int64_t{1} << comm.rank()), 7);
  EXPECT_EQ(comm.min(static_cast<double>(comm.rank()) - 1.5), -1.5);
  EXPECT_EQ(comm.max(std::int64_t{comm.rank()}), 2);
  EXPECT_TRUE(comm.any(comm.rank() == 1));
  const std::vector<int> mine(static_cast<std::size_t>(comm.rank()), comm.rank());
  const std::vector<int> all{1, 2, 2};
  EXPECT_EQ(comm.all_gather<int>(mine), all);
  EXPECT_EQ(comm.gather<int>(mine), comm.root() ? all : std::vector<int>{});
  std::vector<std::byte> bytes(comm.rank() == 1 ? 5 : 0, std::byte{7});
  comm.broadcast(bytes, 1);
  EXPECT_EQ(bytes, std::vector<std::byte>(5, std::byte{7}));
  comm.barrier();
}

}  // namespace
}  // namespace crumple::parallel
