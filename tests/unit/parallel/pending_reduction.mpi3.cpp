// Three ranks: maxima and sums under way, again and again, beside a reduction that all wait for.
#include "parallel/pending_reduction.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace crumple::parallel {
namespace {

TEST(PendingReduction, TakesMaximaAndSumsAtOnce) {
  const Communicator comm(MPI_COMM_WORLD);
  ASSERT_EQ(comm.size(), 3);
  PendingReduction pending;
  for (std::int64_t round = 0; round < 5; ++round) {
    const std::int64_t rank = comm.rank();
    std::ranges::copy(std::array{rank + round, std::int64_t{1} << 60, -rank}, pending.sums(3).begin());
    const double mine = static_cast<double>(rank);
    pending.start(comm, std::array{mine, -mine - static_cast<double>(round), rank == 1 ? 0.5 : -HUGE_VAL});
    EXPECT_EQ(comm.sum(rank), 3);
    const auto all = pending.finish();
    ASSERT_EQ(all.sums.size(), 3u);
    EXPECT_EQ(all.sums[0], 3 + 3 * round);
    EXPECT_EQ(all.sums[1], 3 * (std::int64_t{1} << 60));
    EXPECT_EQ(all.sums[2], -3);
    ASSERT_EQ(all.maxima.size(), 3u);
    EXPECT_EQ(all.maxima[0], 2.0);
    EXPECT_EQ(all.maxima[1], -static_cast<double>(round));
    EXPECT_EQ(all.maxima[2], 0.5);
  }
}

TEST(PendingReduction, MayHaveOneOfThemOnlyAndChangeItsSize) {
  const Communicator comm(MPI_COMM_WORLD);
  PendingReduction pending;
  pending.start(comm, std::array{static_cast<double>(comm.rank())});
  EXPECT_EQ(pending.finish().maxima[0], 2.0);
  pending.sums(1)[0] = comm.rank();
  pending.start(comm, {});
  const auto sum = pending.finish();
  EXPECT_TRUE(sum.maxima.empty());
  EXPECT_EQ(sum.sums[0], 3);
  pending.sums(0);
  pending.start(comm, {});
  EXPECT_TRUE(pending.finish().sums.empty());
}

/// More than an algorithm for long messages would send in one piece, were they not one item.
TEST(PendingReduction, OfManyBodies) {
  const Communicator comm(MPI_COMM_WORLD);
  PendingReduction pending;
  std::ranges::fill(pending.sums(200'000), comm.rank());
  pending.start(comm, std::vector<double>(3, comm.rank()));
  const auto all = pending.finish();
  EXPECT_EQ(std::ranges::count(all.sums, 3), 200'000);
  EXPECT_EQ(std::ranges::count(all.maxima, 2.0), 3);
}

TEST(PendingReduction, EndsWhatIsUnderWay) {
  const Communicator comm(MPI_COMM_WORLD);
  PendingReduction pending;
  pending.sums(1)[0] = 1;
  pending.start(comm, {});
}

}  // namespace
}  // namespace crumple::parallel
