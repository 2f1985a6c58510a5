// exp, log, pow, floor and round against the C library in higher precision, to the accuracy they state.
#include "simd/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace crumple::simd {
namespace {

template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

/// Distance of `value` from the exact result in units of the last place of the exact result.
template <class T>
double ulps(T value, long double exact) {
  const T nearest = static_cast<T>(exact);
  if (value == nearest) return 0;
  const long double ulp = std::nextafter(std::abs(nearest), kInfinity<T>) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / ulp);
}

template <class V>
class Math : public testing::Test {};
using Types = testing::Types<float, double, Vec<float, 4>, Vec<double, 2>, Vec<float, 16>, Vec<double, 8>>;
TYPED_TEST_SUITE(Math, Types);

/// A vector whose lanes are all different, and a check of every lane against `exact`.
template <class V, class Draw, class Function, class Exact>
void check_lanes(Draw draw, Function function, Exact exact, int rounds = 20000) {
  for (int n = 0; n < rounds / width_v<V>; ++n) {
    V x = V(0);
    for (int i = 0; i < width_v<V>; ++i) set_lane(x, i, static_cast<scalar_t<V>>(draw()));
    const V y = function(x);
    for (int i = 0; i < width_v<V>; ++i) exact(lane(x, i), lane(y, i));
  }
}

TYPED_TEST(Math, InversesAndRootsAreWithinThreeUlp) {
  using T = scalar_t<TypeParam>;
  std::mt19937_64 engine(7);
  const double end = sizeof(T) == 8 ? 700 : 80;
  std::uniform_real_distribution<double> exponent(-end, end), near_one(0.5, 2);
  std::bernoulli_distribution negative;
  const auto signed_number = [&] { return (negative(engine) ? -1 : 1) * std::exp(exponent(engine)); };
  const auto positive = [&] { return std::exp(exponent(engine)); };
  const auto check_inverse = [](T x, T y) { EXPECT_LE(ulps(y, 1.0L / x), 2.0) << "x = " << x; };
  check_lanes<TypeParam>(
      signed_number, [](TypeParam x) { return inverse(x); }, check_inverse);
  const double coarse = sizeof(T) == 8 ? 0x1p-26 : 0x1p-23;
  const auto check_coarse = [&](T x, T y) { EXPECT_LE(std::abs((long double)y * x - 1), coarse) << x; };
  check_lanes<TypeParam>(
      signed_number, [](TypeParam x) { return coarse_inverse(x); }, check_coarse);
  const auto check_root = [](T x, T y) {
    EXPECT_LE(ulps(y, 1 / std::sqrt((long double)x)), 3.0) << "x = " << x;
  };
  check_lanes<TypeParam>(
      positive, [](TypeParam x) { return inverse_sqrt(x); }, check_root);
  check_lanes<TypeParam>([&] { return near_one(engine); }, [](TypeParam x) { return inverse_sqrt(x); },
                         check_root);
  const auto check_sqrt = [](T x, T y) { EXPECT_LE(ulps(y, std::sqrt((long double)x)), 3.0) << "x = " << x; };
  check_lanes<TypeParam>(
      positive, [](TypeParam x) { return positive_sqrt(x); }, check_sqrt);
}

TYPED_TEST(Math, ExpIsWithinTwoUlp) {
  using T = scalar_t<TypeParam>;
  std::mt19937_64 engine(1);
  const double end = sizeof(T) == 8 ? 707 : 86;
  std::uniform_real_distribution<double> wide(-end, end + 1), narrow(-1, 1);
  const auto check = [](T x, T y) { EXPECT_LE(ulps(y, std::exp((long double)x)), 2.0) << "x = " << x; };
  const auto function = [](TypeParam x) { return exp(x); };
  check_lanes<TypeParam>([&] { return wide(engine); }, function, check);
  check_lanes<TypeParam>([&] { return narrow(engine); }, function, check);
}

TYPED_TEST(Math, LogIsWithinTwoUlp) {
  using T = scalar_t<TypeParam>;
  std::mt19937_64 engine(2);
  const double end = sizeof(T) == 8 ? 707 : 86;
  std::uniform_real_distribution<double> exponent(-end, end), near_one(0.5, 2);
  const auto check = [](T x, T y) { EXPECT_LE(ulps(y, std::log((long double)x)), 2.0) << "x = " << x; };
  const auto function = [](TypeParam x) { return log(x); };
  check_lanes<TypeParam>([&] { return std::exp(exponent(engine)); }, function, check);
  check_lanes<TypeParam>([&] { return near_one(engine); }, function, check);
  check_lanes<TypeParam>([&] { return std::numeric_limits<T>::denorm_min() * 1234; }, function, check, 16);
}

TYPED_TEST(Math, PowLosesWhatItStates) {
  using T = scalar_t<TypeParam>;
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> exponent(-8, 8);
  for (const T power : {T(0.2), T(1) / T(3), T(1.7), T(-2.5)}) {
    const auto check = [&](T x, T y) {
      const double stated = 2 + 2 * std::abs(power * std::log(x));
      EXPECT_LE(ulps(y, std::pow((long double)x, (long double)power)), stated) << x << " ^ " << power;
    };
    check_lanes<TypeParam>([&] { return std::exp(exponent(engine)); },
                           [&](TypeParam x) { return pow(x, TypeParam(power)); }, check, 4000);
  }
}

TYPED_TEST(Math, EndsOfTheRange) {
  using T = scalar_t<TypeParam>;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto at = [](auto function, T x) { return lane(function(TypeParam(x)), 0); };
  const auto e = [](TypeParam x) { return exp(x); };
  const auto l = [](TypeParam x) { return log(x); };
  EXPECT_EQ(at(e, T(0)), T(1));
  EXPECT_EQ(at(e, -kInfinity<T>), T(0));
  EXPECT_EQ(at(e, kInfinity<T>), kInfinity<T>);
  EXPECT_EQ(at(e, T(-800)), T(0));
  EXPECT_EQ(at(e, T(800)), kInfinity<T>);
  EXPECT_TRUE(std::isnan(at(e, nan)));
  EXPECT_EQ(at(l, T(1)), T(0));
  EXPECT_EQ(at(l, T(0)), -kInfinity<T>);
  EXPECT_EQ(at(l, kInfinity<T>), kInfinity<T>);
  EXPECT_TRUE(std::isnan(at(l, T(-1))));
  EXPECT_TRUE(std::isnan(at(l, nan)));
  EXPECT_EQ(lane(pow(TypeParam(0), TypeParam(2)), 0), T(0));
  EXPECT_EQ(lane(pow(TypeParam(0), TypeParam(0)), 0), T(1));
}

TYPED_TEST(Math, FloorAndRoundAreExact) {
  using T = scalar_t<TypeParam>;
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> wide(-1e5, 1e5);
  check_lanes<TypeParam>([&] { return wide(engine); }, [](TypeParam x) { return floor(x); },
                         [](T x, T y) { EXPECT_EQ(y, std::floor(x)); });
  check_lanes<TypeParam>([&] { return wide(engine); }, [](TypeParam x) { return round(x); },
                         [](T x, T y) { EXPECT_EQ(y, std::nearbyint(x)); });
  for (const T x : {T(0), T(-0.5), T(0.5), T(1.5), T(-3), T(1e30), T(-1e30), T(0.49999997)}) {
    EXPECT_EQ(lane(floor(TypeParam(x)), 0), std::floor(x)) << x;
    EXPECT_EQ(lane(round(TypeParam(x)), 0), std::nearbyint(x)) << x;
  }
}

TEST(Math, ScalarAndVectorGiveTheSameBits) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> draw(0.01, 30);
  for (int n = 0; n < 1000; ++n) {
    const double x = draw(engine), y = draw(engine) / 10;
    EXPECT_EQ(exp(x), lane(exp(Vec<double, 8>(x)), 5));
    EXPECT_EQ(log(x), lane(log(Vec<double, 8>(x)), 5));
    EXPECT_EQ(pow(x, y), lane(pow(Vec<double, 8>(x), Vec<double, 8>(y)), 5));
    EXPECT_EQ(pow(float(x), float(y)), lane(pow(Vec<float, 16>(float(x)), Vec<float, 16>(float(y))), 9));
  }
}

}  // namespace
}  // namespace crumple::simd
