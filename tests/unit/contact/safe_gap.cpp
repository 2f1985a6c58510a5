// Gaps in lists of neighbours.
#include "contact/search/safe_gap.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace crumple::contact::test {
namespace {

TEST(SafeGap, TheNextFloatBelowIsThatOfTheLibrary) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float f : {0.0F, -0.0F, 1.0F, -1.0F, std::numeric_limits<float>::denorm_min(),
                        -std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min(),
                        std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), infinity,
                        -infinity, 0.1F, 1024.0F, -1024.0F})
    EXPECT_EQ(std::bit_cast<std::uint32_t>(next_below(f)),
              std::bit_cast<std::uint32_t>(std::nextafter(f, -infinity)))
        << f;
  EXPECT_TRUE(std::isnan(next_below(std::nanf(""))));
}

TEST(SafeGap, IsNeverMore) {
  for (const double gap : {-2.0, 0.0, 1e-9, 0.3, 7.0, 1e6}) {
    EXPECT_LT(static_cast<double>(safe_gap(gap, 4.0)), gap);
    EXPECT_NEAR(safe_gap(gap, 4.0), gap, 2e-6 * std::abs(gap) + 1e-8);
  }
}

}  // namespace
}  // namespace crumple::contact::test
