// Three ranks: maxima and sums of one reduction, again and again, also of no sums.
#include "parallel/agreement.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

namespace crumple::parallel {
namespace {

TEST(Agreement, LargestAndSumsOverRanks) {
  const Communicator comm(MPI_COMM_WORLD);
  ASSERT_EQ(comm.size(), 3);
  Agreement agreement;
  for (std::int64_t round = 0; round < 5; ++round) {
    const std::int64_t rank = comm.rank();
    const std::array<std::int64_t, 3> sums{rank + round, std::int64_t{1} << 60, -rank};
    agreement.start(comm, {-1.5 * static_cast<double>(rank) - 1, rank == round % 3 ? 1e300 : -1e300}, sums);
    EXPECT_EQ(agreement.maxima(), (Agreement::Maxima{-1.0, 1e300}));
    const auto all = agreement.sums();
    EXPECT_EQ(all[0], 3 + 3 * round);
    EXPECT_EQ(all[1], 3 * (std::int64_t{1} << 60));
    EXPECT_EQ(all[2], -3);
  }
}

TEST(Agreement, NoSums) {
  const Communicator comm(MPI_COMM_WORLD);
  Agreement agreement;
  agreement.start(comm, {double(comm.rank()), -double(comm.rank())}, {});
  EXPECT_EQ(agreement.maxima(), (Agreement::Maxima{2.0, 0.0}));
  EXPECT_TRUE(agreement.sums().empty());
}

TEST(Agreement, EndsWhatIsUnderWay) {
  const Communicator comm(MPI_COMM_WORLD);
  Agreement agreement;
  agreement.start(comm, {1.0, 2.0}, {});
}

}  // namespace
}  // namespace crumple::parallel
