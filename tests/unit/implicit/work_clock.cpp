// Each moment of an implicit run belongs to the innermost scope. One rank.
#include "implicit/work_clock.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace crumple::implicit {
namespace {

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

double seconds(WorkClock& clock, Part part) {
  return clock.up_to_now().seconds[static_cast<std::size_t>(part)];
}

TEST(WorkClock, InnerScopesTakeTheirTimeFromOuterOnes) {
  const auto start = std::chrono::steady_clock::now();
  WorkClock clock;
  {
    const auto forces = clock.time(Part::forces);
    wait(0.02);
    {
      const auto contact = clock.time(Part::contact);
      wait(0.05);
    }
    wait(0.02);
  }
  EXPECT_GE(seconds(clock, Part::forces), 0.04);
  EXPECT_GE(seconds(clock, Part::contact), 0.05);
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const WorkDone& done = clock.up_to_now();
  const double sum = std::accumulate(done.seconds.begin(), done.seconds.end(), 0.0);
  EXPECT_NEAR(sum, all, 0.01);
}

TEST(WorkClock, MovedSecondsKeepTheSum) {
  WorkClock clock;
  {
    const auto symbolic = clock.time(Part::symbolic);
    wait(0.01);
  }
  const double before = seconds(clock, Part::symbolic);
  clock.move(Part::symbolic, Part::ordering, 0.004);
  EXPECT_NEAR(seconds(clock, Part::symbolic), before - 0.004, 1e-12);
  EXPECT_NEAR(seconds(clock, Part::ordering), 0.004, 1e-12);
}

}  // namespace
}  // namespace crumple::implicit
