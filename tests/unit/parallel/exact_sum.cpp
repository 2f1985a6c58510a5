// The long accumulator: exact, and the same for any order of terms.
#include "parallel/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace crumple::parallel {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double t : terms) sum += t;
  return sum.value();
}

TEST(ExactSum, CancelsWithoutError) {
  EXPECT_EQ(sum_of({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sum_of({1e-300, 1e300, -1e300}), 1e-300);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.3}), std::ldexp(1.0, -55));  // of the three doubles, not of the decimals
}

TEST(ExactSum, KeepsExtremesOfTheRange) {
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({tiny}), tiny);
  EXPECT_EQ(sum_of({-tiny, -tiny}), -2 * tiny);
  EXPECT_EQ(sum_of({huge}), huge);
  EXPECT_EQ(sum_of({huge, huge, -huge}), huge);
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(7);
  std::vector<double> terms;
  for (int k = 0; k < 2000; ++k)
    terms.push_back(
        std::ldexp(static_cast<double>(random()) - 9.2e18, static_cast<int>(random() % 400) - 260));
  const double expected = sum_of(terms);
  for (int trial = 0; trial < 5; ++trial) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sum_of(terms), expected);
  }
}

double collected_sum_of(const std::vector<double>& terms) {
  CollectedSum sum;
  for (const double t : terms) sum += t;
  return sum.sum().value();
}

void expect_alike(const std::vector<double>& terms) { EXPECT_EQ(collected_sum_of(terms), sum_of(terms)); }

TEST(ExactSum, TakesManyTermsAtOnce) {
  std::mt19937_64 random(3);
  for (const int range : {1, 30, 100, 700, 1900})  // binary orders that terms lie apart
    for (const std::size_t n : {0, 1, 255, 256, 257, 3000}) {
      std::vector<double> terms;
      for (std::size_t k = 0; k < n; ++k)
        terms.push_back(std::ldexp(static_cast<double>(random()) - 9.2e18,
                                   static_cast<int>(random() % range) - 63 - range / 2));
      expect_alike(terms);
      for (std::size_t k = 0; k < n; k += 2) terms[k] = -terms[(k + 7) % n];  // much cancels
      expect_alike(terms);
    }
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  expect_alike({tiny, -3 * tiny, 0.0, -0.0});
  expect_alike({huge, tiny, huge, -huge, -1.0});
  expect_alike({0x1p900, 0x1p-800, -0x1p899, 0x1.8p-801, 1.0});
  expect_alike(std::vector<double>(256, 0x1.fffffffffffffp10));  // as large as a block's sums become
  expect_alike(std::vector<double>(1000, 0.0));
}

TEST(ExactSum, AddsAccumulators) {
  ExactSum a, b;
  a += 1e20;
  b += 3.0;
  b += -1e20;
  a.add(b);
  EXPECT_EQ(a.value(), 3.0);
}

TEST(ExactSum, RemembersWhatIsNotANumber) {
  EXPECT_TRUE(std::isnan(sum_of({1.0, std::nan("")})));
  EXPECT_TRUE(std::isnan(sum_of({std::numeric_limits<double>::infinity()})));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (const double other : {0.0, 1.0}) {
      std::vector<double> terms(300, other);
      terms[270] = bad;
      EXPECT_TRUE(std::isnan(collected_sum_of(terms)));
    }
}

}  // namespace
}  // namespace crumple::parallel
