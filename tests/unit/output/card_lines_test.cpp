// Numbers in fields of 20 columns: as exact as they can be. One rank.
#include "output/dynain/card_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace crumple::output {
namespace {

TEST(CardLines, NumbersAreShortest) {
  EXPECT_EQ(real_in_20(0.0), "0");
  EXPECT_EQ(real_in_20(-1.5), "-1.5");
  EXPECT_EQ(real_in_20(1e-7), "1e-7");
  EXPECT_EQ(real_in_20(1e300), "1e300");
  EXPECT_EQ(real_in_20(0.1), "0.1");
}

TEST(CardLines, NumbersKeepTheirDigits) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(1.0, 10.0), exponent(-300, 300);
  for (int n = 0; n < 20000; ++n) {
    const bool ordinary = n % 2 == 0;
    const double size = std::pow(10.0, std::floor(ordinary ? exponent(random) / 100 : exponent(random)));
    const double value = (n % 4 < 2 ? 1 : -1) * mantissa(random) * size;
    const std::string text = real_in_20(value);
    ASSERT_LE(text.size(), 20u) << text;
    const double read = std::strtod(text.c_str(), nullptr);
    EXPECT_LE(std::abs(read - value), (ordinary ? 5e-15 : 5e-13) * std::abs(value)) << text;  // 15 digits, 13
  }
  for (const double value : {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()})
    EXPECT_LE(real_in_20(-value).size(), 20u);
}

TEST(CardLines, NumbersOfEverydaySizeAreExact) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> value(0.1, 1e4);
  for (int n = 0; n < 20000; ++n) {
    const double x = (n % 2 == 0 ? 1 : -1) * value(random);
    EXPECT_EQ(std::strtod(real_in_20(x).c_str(), nullptr), x);
  }
}

TEST(CardLines, FieldsAreAligned) {
  std::string text;
  CardLines cards(text);
  cards.integer(12);
  cards.real(-2.5);
  cards.end();
  EXPECT_EQ(text, "                  12                -2.5\n");
}

}  // namespace
}  // namespace crumple::output
