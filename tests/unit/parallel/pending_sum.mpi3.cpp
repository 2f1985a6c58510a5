// Three ranks: sums under way, again and again, beside a reduction that all wait for, and of nothing.
#include "parallel/pending_sum.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>

namespace crumple::parallel {
namespace {

TEST(PendingSum, OverRanks) {
  const Communicator comm(MPI_COMM_WORLD);
  ASSERT_EQ(comm.size(), 3);
  PendingSum pending;
  for (std::int64_t round = 0; round < 5; ++round) {
    const std::int64_t rank = comm.rank();
    std::ranges::copy(std::array{rank + round, std::int64_t{1} << 60, -rank}, pending.room(3).begin());
    pending.start(comm);
    EXPECT_EQ(comm.sum(rank), 3);
    const auto all = pending.finish();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0], 3 + 3 * round);
    EXPECT_EQ(all[1], 3 * (std::int64_t{1} << 60));
    EXPECT_EQ(all[2], -3);
  }
}

TEST(PendingSum, OfNothing) {
  const Communicator comm(MPI_COMM_WORLD);
  PendingSum pending;
  pending.room(0);
  pending.start(comm);
  EXPECT_TRUE(pending.finish().empty());
}

TEST(PendingSum, EndsWhatIsUnderWay) {
  const Communicator comm(MPI_COMM_WORLD);
  PendingSum pending;
  pending.room(1)[0] = 1;
  pending.start(comm);
}

}  // namespace
}  // namespace crumple::parallel
