// When rows and plot states are due.
#include "output/series.hpp"

#include <gtest/gtest.h>

#include <vector>

using crumple::output::Series;
using crumple::output::Stretch;

namespace {

/// Beginnings of the cycles that a series writes in, of cycles with these steps.
std::vector<double> written(Series series, const std::vector<double>& steps) {
  std::vector<double> times;
  double time = 0.0;
  for (const double step : steps) {
    const Stretch cycle{time + step, step, false};
    if (series.due(cycle)) times.push_back(time);
    series.done(cycle);
    time += step;
  }
  return times;
}

}  // namespace

TEST(Series, LastCycleBeforeTheDueTime) {
  EXPECT_EQ(written(Series(1.0), {0.4, 0.4, 0.4, 0.4, 0.4, 0.4}), (std::vector<double>{0.0, 0.8, 2.0}));
}

TEST(Series, ACycleThatPassesManyDueTimesIsWrittenOnce) {
  const std::vector<double> times = written(Series(0.1), {1.0, 1.0, 1.0});
  EXPECT_EQ(times, (std::vector<double>{0.0, 1.0, 2.0}));
}

TEST(Series, SumsOfStepsMeetMultiplesInSpiteOfRounding) {
  const std::vector<double> times = written(Series(0.1), std::vector<double>(100001, 0.001));
  ASSERT_EQ(times.size(), 1001u);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 0.1 * double(k), 1e-8);
}

TEST(Series, AnyStepTakesNoTime) {
  Series series(0.1);
  for (const double step : {9e29, 1e300}) {
    const Stretch cycle{step, step, false};
    EXPECT_TRUE(series.due(cycle));
    series.done(cycle);
  }
}

TEST(Series, NothingIsDueWithoutAnInterval) {
  EXPECT_FALSE(Series().due({1.0, 1.0, false}));
  EXPECT_FALSE(Series(0.0).due({1.0, 1.0, true}));
}

/// The end time is due in the cycle before it, and only where none was it is due at the end.
TEST(Series, EndTime) {
  Series series(0.5);
  const Stretch before{1.1, 0.3, false}, end{1.0, 0.3, true};
  series.done({0.8, 0.8, false});
  EXPECT_TRUE(series.due(end));
  EXPECT_TRUE(series.due(before));
  series.done(before);
  EXPECT_FALSE(series.due(end));
  EXPECT_FALSE(series.due({1.4, 0.3, false}));
}
