// What is read from /proc, and when cores count as short.
#include "parallel/core_demand.hpp"

#include <gtest/gtest.h>

namespace crumple::parallel {
namespace {

using namespace std::chrono_literals;

TEST(CoreDemand, ReadsProc) {
  EXPECT_EQ(CoreDemand::runnable("4.40 5.46 4.23 7/111 32190\n"), 7);
  EXPECT_EQ(CoreDemand::runnable(""), 0);
  EXPECT_EQ(CoreDemand::runnable("no loads"), 0);
  EXPECT_EQ(CoreDemand::kept_waiting("552881 7105509 1\n"), 7105509);
  EXPECT_EQ(CoreDemand::kept_waiting(""), 0);
}

/// This thread is runnable itself.
TEST(CoreDemand, CoresAreShortForMoreThreadsThanCores) {
  CoreDemand demand(0);
  EXPECT_FALSE(demand.short_of_cores());
  demand.set_own(0);
  demand.look(CoreDemand::Clock::now());
  EXPECT_TRUE(demand.short_of_cores());
  EXPECT_TRUE(demand.others());
}

TEST(CoreDemand, OwnThreadsAreNoOthers) {
  CoreDemand demand(0);
  demand.set_own(1'000'000);
  demand.look(CoreDemand::Clock::now());
  EXPECT_TRUE(demand.short_of_cores());
  EXPECT_FALSE(demand.others());
}

TEST(CoreDemand, CoresSuffice) {
  CoreDemand demand(1'000'000);
  demand.look(CoreDemand::Clock::now());
  EXPECT_FALSE(demand.short_of_cores());
  EXPECT_FALSE(demand.others());
}

/// Until the next look nothing is read, and an old look does not count for long.
TEST(CoreDemand, LooksNowAndThen) {
  CoreDemand demand(0);
  const auto start = CoreDemand::Clock::now();
  demand.look(start);
  demand.set_own(0);
  demand.look(start + CoreDemand::kBetween / 2);
  EXPECT_TRUE(demand.short_of_cores());
  CoreDemand enough(1'000'000);
  enough.look(start);
  enough.look(start + CoreDemand::kHeld + 1ms);
  EXPECT_FALSE(enough.others());
}

}  // namespace
}  // namespace crumple::parallel
