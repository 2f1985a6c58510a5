// Copies of shared nodes end with the same sums and maxima; accumulators reduce exactly. On 3 ranks.
#include "parallel/halo.hpp"

#include <gtest/gtest.h>

#include <array>

#include "parallel/exact_sum.hpp"

namespace crumple::parallel {
namespace {

/// A ring of three ranks: rank r shares its node 0 with the rank before and node 1, which it owns, with the
/// rank after; node 2 is shared by all and of rank 0.
IndexMap ring_map(const Communicator& comm) {
  const int before = (comm.rank() + 2) % 3, after = (comm.rank() + 1) % 3;
  IndexMap::Parts parts{
      comm.rank(), {before, comm.rank(), 3}, {before, comm.rank(), 0}, {before, after}, {{0, 2}, {1, 2}}};
  if (before > after) parts.neighbours = {after, before}, parts.shared = {{1, 2}, {0, 2}};
  return IndexMap(std::move(parts));
}

Halo ring(const Communicator& comm) { return Halo(comm, ring_map(comm)); }

TEST(Halo, SumsOverCopies) {
  const Communicator comm;
  ASSERT_EQ(comm.size(), 3);
  const Halo halo = ring(comm);
  const std::int64_t r = comm.rank() + 1;
  std::vector<std::int64_t> force{r, 10 * r, 100 * r}, moment{-r, 0, r};
  const std::array<std::span<std::int64_t>, 2> arrays{force, moment};
  halo.sum(arrays, 1);
  const std::int64_t before = (comm.rank() + 2) % 3 + 1, after = (comm.rank() + 1) % 3 + 1;
  EXPECT_EQ(force[0], r + 10 * before);
  EXPECT_EQ(force[1], 10 * r + after);
  EXPECT_EQ(force[2], 600);
  EXPECT_EQ(moment[2], 6);
}

TEST(Halo, OtherSumsMayBeTakenBetweenTheHalvesOfOne) {
  const Communicator comm;
  const Halo halo = ring(comm);
  std::vector<std::int64_t> force{0, 0, comm.rank() + 1}, mass{0, 0, 10};
  const std::array<NodeSums, 1> forces{{{force, 1}}};
  const std::array<std::span<std::int64_t>, 2> others{mass, mass};
  for (int cycle = 0; cycle < 3; ++cycle) {  // the requests are used again
    force[2] = comm.rank() + 1, mass[2] = 10;
    halo.begin_sum(forces);
    halo.sum(others, 1);
    EXPECT_EQ(mass[2], 50);  // twice what two others sent
    EXPECT_EQ(force[2], comm.rank() + 1);
    halo.finish_sum(forces);
    EXPECT_EQ(force[2], 6);
  }
}

TEST(Halo, SumsOfDifferentWidthsGoTogether) {
  const Communicator comm;
  const Halo halo = ring(comm);
  std::vector<std::int64_t> force{0, 0, 0, 0, comm.rank(), 7}, mass{0, 0, 10};
  const std::array<NodeSums, 2> sums{{{force, 2}, {mass, 1}}};
  halo.begin_sum(sums);
  halo.finish_sum(sums);
  EXPECT_EQ(force[4], 3);
  EXPECT_EQ(force[5], 21);
  EXPECT_EQ(mass[2], 30);
}

TEST(Halo, TakesTheLargestOfCopies) {
  const Communicator comm;
  std::vector<double> value{0.0, 0.0, static_cast<double>(comm.rank())};
  ring(comm).max(value);
  EXPECT_EQ(value[2], 2.0);
}

TEST(ExactSum, ReducesOverRanks) {
  const Communicator comm;
  std::array<ExactSum, 2> sums;
  sums[0] += comm.rank() == 0 ? 1e200 : comm.rank() == 1 ? -1e200 : 0.125;
  sums[1] += 0.1;
  ExactSum::reduce(comm, sums);
  EXPECT_EQ(sums[0].value(), 0.125);
  ExactSum three;
  for (int k = 0; k < 3; ++k) three += 0.1;
  EXPECT_EQ(sums[1].value(), three.value());
}

TEST(Communicator, ExchangesBytesOfAnyLength) {
  const Communicator comm;
  std::vector<std::vector<std::byte>> send(3);
  for (int r = 0; r < 3; ++r)
    send[r].assign(static_cast<std::size_t>(10 * comm.rank() + r), std::byte(comm.rank()));
  const auto received = comm.all_to_all(send);
  for (int r = 0; r < 3; ++r) {
    ASSERT_EQ(received[r].size(), static_cast<std::size_t>(10 * r + comm.rank()));
    for (const std::byte b : received[r]) EXPECT_EQ(b, std::byte(r));
  }
}

}  // namespace
}  // namespace crumple::parallel
