// Look-up of piecewise linear curves and tables against plain interpolation.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

const double kNoRate[] = {0.0};

double plain(const model::Curve& c, double x) {
  std::size_t k = 1;
  while (k + 1 < c.x.size() && x > c.x[k]) ++k;
  const double slope = (c.y[k] - c.y[k - 1]) / (c.x[k] - c.x[k - 1]);
  return c.y[k - 1] + slope * (x - c.x[k - 1]);
}

/// Irregular spacing over five decades, which one uniform grid cannot resolve.
model::Curve irregular(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> decade(-5, 0), rise(0, 1);
  model::Curve c = curve(1, {0}, {0.3});
  for (int k = 1; k < n; ++k) {
    c.x.push_back(c.x.back() + std::pow(10, decade(engine)));
    c.y.push_back(c.y.back() + rise(engine) * (c.x[k] - c.x[k - 1]));
  }
  return c;
}

/// Value and slope of a curve at x.
template <class V>
void evaluate(const FlowCurves& c, V curve, V x, V& value, V& slope) {
  const Segment<V> segment = find_segment(c, x);
  const Line<V> line = line_of(c, curve, segment);
  value = line.value + line.slope * (x - segment.begin);
  slope = line.slope;
}

template <class V>
class Lookup : public testing::Test {};
using Types = testing::Types<float, double, simd::Vec<float, 8>, simd::Vec<double, 4>>;
TYPED_TEST_SUITE(Lookup, Types);

TYPED_TEST(Lookup, EqualsInterpolationEverywhere) {
  using V = TypeParam;
  const double tolerance = sizeof(simd::scalar_t<V>) == 4 ? 2e-5 : 1e-13;
  for (const int n : {2, 3, 8, 57, 700}) {
    const model::Curve c = irregular(n, static_cast<unsigned>(n));
    const FlowCurveStorage storage(std::span(&c, 1), kNoRate);
    for (int k = -5; k < 2000; ++k) {
      const double x = c.x.back() * k / 1500;
      V value, slope;
      evaluate(storage.view(), V(0), V(x), value, slope);
      EXPECT_NEAR(simd::lane(value, simd::width_v<V> - 1), plain(c, x), tolerance * c.y.back())
          << n << ' ' << x;
    }
  }
}

TYPED_TEST(Lookup, BreakpointsBelongToTheSegmentOnTheirRight) {
  using V = TypeParam;
  const model::Curve c = curve(1, {0, 0.25, 0.5, 1}, {1, 2, 2.5, 2.75});
  const FlowCurveStorage storage(std::span(&c, 1), kNoRate);
  const double slopes[] = {4, 2, 0.5, 0.5};
  for (int k = 0; k < 4; ++k) {
    V value, slope;
    evaluate(storage.view(), V(0), V(c.x[k]), value, slope);
    EXPECT_EQ(simd::lane(value, 0), c.y[k]);
    EXPECT_EQ(simd::lane(slope, 0), slopes[k]);
  }
}

TEST(FlowCurves, FallingCurveStaysLevelBeyondItsEnd) {
  const model::Curve c = curve(1, {0, 1, 2}, {3, 4, 3.5});
  const FlowCurveStorage storage(std::span(&c, 1), kNoRate);
  double value, slope;
  evaluate(storage.view(), 0.0, 5.0, value, slope);
  EXPECT_EQ(value, 3.5);
  EXPECT_EQ(slope, 0);
  evaluate(storage.view(), 0.0, 1.5, value, slope);
  EXPECT_EQ(value, 3.75);
}

TEST(FlowCurves, NanStaysInsideTheTable) {
  const model::Curve c = irregular(20, 3);
  const FlowCurveStorage storage(std::span(&c, 1), kNoRate);
  const auto at = find_segment(storage.view(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(at.index, 0);
}

TEST(FlowCurves, TableOfCurvesWithDifferentPoints) {
  const std::vector<model::Curve> curves = {curve(1, {0, 0.1, 1}, {1, 2, 3}), curve(2, {0, 0.7}, {2, 4}),
                                            curve(3, {0, 0.3, 0.4, 2}, {5, 6, 6.5, 7})};
  const std::vector<double> rates = {0.1, 10, 1000};
  const FlowCurveStorage storage(curves, rates);
  for (double x = 0; x < 3; x += 0.013)
    for (double k = 0; k < 3; ++k) {
      double value, slope;
      evaluate(storage.view(), k, x, value, slope);
      EXPECT_NEAR(value, plain(curves[static_cast<std::size_t>(k)], x), 1e-13) << x;
    }
}

TEST(FlowCurves, RateIsLinearOrLogarithmicAndEndsAtTheTable) {
  const std::vector<model::Curve> curves(3, curve(1, {0, 1}, {1, 2}));
  const std::vector<double> rates = {0.1, 10, 1000}, logs = {std::log(0.1), std::log(10.0), std::log(1000.0)};
  const FlowCurveStorage linear(curves, rates), logarithmic(curves, logs);
  const auto check = [](const FlowCurveStorage& s, double rate, double curve, double weight, double slope) {
    const auto at = find_rate(s.view(), rate);
    EXPECT_EQ(at.curve, curve) << rate;
    EXPECT_NEAR(at.weight, weight, 1e-14) << rate;
    EXPECT_NEAR(at.weight_slope, slope, 1e-14) << rate;
  };
  check(linear, 0, 0, 0, 0);
  check(linear, 0.1 + 0.25 * 9.9, 0, 0.25, 1 / 9.9);
  check(linear, 505, 1, 0.5, 1.0 / 990);
  check(linear, 5000, 1, 1, 0);
  check(logarithmic, 0, 0, 0, 0);
  check(logarithmic, 1, 0, 0.5, 1 / std::log(100.0));
  check(logarithmic, 100, 1, 0.5, 0.01 / std::log(100.0));
  check(logarithmic, 1e9, 1, 1, 0);
}

}  // namespace
}  // namespace crumple::materials
