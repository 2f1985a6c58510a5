// Fixed-point sums: exact within their resolution, loud beyond their range.
#include "parallel/fixed_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace crumple::parallel {
namespace {

TEST(FixedPoint, ReturnsMultiplesOfTheResolution) {
  const double scale = std::ldexp(1.0, 40);
  for (const double f : {0.0, 1.0, -2.5, 1234.0625, -std::ldexp(1.0, -40)})
    EXPECT_EQ(from_fixed(to_fixed(f, scale), scale), f);
}

TEST(FixedPoint, RoundsToNearest) {
  EXPECT_EQ(to_fixed(0.75, 1.0), 1);
  EXPECT_EQ(to_fixed(-0.75, 1.0), -1);
}

TEST(FixedPoint, TellsOverflowAndNotANumber) {
  EXPECT_TRUE(overflowed(to_fixed(1e30, 1.0)));
  EXPECT_TRUE(overflowed(to_fixed(-1e30, 1.0)));
  EXPECT_TRUE(overflowed(to_fixed(std::nan(""), 1.0)));
  EXPECT_TRUE(overflowed(to_fixed(std::numeric_limits<double>::infinity(), 1.0)));
  EXPECT_FALSE(overflowed(to_fixed(1e15, 1.0)));
}

}  // namespace
}  // namespace crumple::parallel
