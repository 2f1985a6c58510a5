// MAT_163: yield between curves of a table, means and limits of the rate, elastic unloading by E.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kModulus163 = 20;

model::Model rate_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.4, 0.7}, {0.1, 0.2, 1.4}), curve(6, {0, 0.4, 0.7}, {0.3, 0.6, 4.2}),
              curve(7, {0, 0.5}, {0.2, -0.2})};
  m.tables = {{50, {0.0, 1.0}, {0, 1}}};
  return m;
}
Prepared rate_foam(Fields fields = {}) {
  return prepare(
      rate_model(),
      with_fields(material(163, {{"E", kModulus163}, {"PR", 0.0}, {"TID", 50.0}, {"TSC", 0.05}}), fields));
}
/// The table's stress, three times as large at the rate 1.
double yield_163(double strain, double rate) {
  return rate_model().curves[0](strain) * (1 + 2 * std::clamp(rate, 0.0, 1.0));
}

TEST(ModifiedCrushableFoam, YieldsByTheTrueRateOrTheEngineeringRate) {
  for (const double flag : {0.0, 1.0})
    for (const double rate : {0.0, 0.2, 0.7, 5.0}) {
      const Prepared law = rate_foam({{"SRFLAG", flag}});
      StretchedPoint point(law);
      // 10,000 steps from 0.6 to 0.5 along the logarithm.
      point.to(0.6, 1, 1, 1e9);
      const double slope = std::log(0.6 / 0.5);
      point.to(0.5, 1, 1, rate > 0 ? slope / rate : 1e9, 10000);
      const double now = flag == 1 ? 0.5 * rate : rate;
      EXPECT_NEAR(point.solid.point.s[0], -yield_163(0.5, now), 1e-4) << flag << ' ' << rate;
      EXPECT_NEAR(point.solid.point.s[1], 0, 1e-12);
    }
}

TEST(ModifiedCrushableFoam, UnloadsByItsModulusAndPullsByTsc) {
  const Prepared law = rate_foam();
  StretchedPoint point(law);
  point.to(0.999, 1, 1, 1e9);
  EXPECT_NEAR(point.solid.point.s[0], kModulus163 * std::log(0.999), 1e-9);
  point.to(0.5, 1, 1, 1e9);
  const double top = point.solid.point.s[0];
  point.to(0.502, 1, 1, 1e9);
  EXPECT_NEAR(point.solid.point.s[0], top + kModulus163 * std::log(0.502 / 0.5), 1e-9);
  point.to(0.7, 1, 1, 1e9);
  EXPECT_NEAR(point.solid.point.s[0], 0.05, 1e-12);
}

/// Steps of one after another rate of logarithmic strain in 0.1 each; the stress after the last.
double after_rates(const Prepared& law, std::initializer_list<double> rates) {
  StretchedPoint point(law);
  for (const double rate : rates) {
    const double to = point.stretch[0] * std::exp(-0.1 * rate);
    point.to(to, 1, 1, 0.1, 1);
  }
  return -point.solid.point.s[0] / rate_model().curves[0](1 - point.stretch[0]);
}

TEST(ModifiedCrushableFoam, TakesTheMeanOfCycles) {
  EXPECT_NEAR(after_rates(rate_foam(), {0.4, 0.4, 0.8}), 1 + 2 * 0.8, 1e-9);
  EXPECT_NEAR(after_rates(rate_foam({{"NCYCLE", 3.0}}), {0.1, 0.4, 0.4, 0.7}), 1 + 2 * 0.5, 1e-9);
}

TEST(ModifiedCrushableFoam, LimitsTheChangeOfTheRate) {
  // 2 in a time of 1: by 0.2 in a step of 0.1
  EXPECT_NEAR(after_rates(rate_foam({{"SRCLMT", 2.0}}), {0.9, 0.9}), 1 + 2 * 0.4, 1e-9);
  EXPECT_NEAR(after_rates(rate_foam({{"SRCLMT", 2.0}}), {0.9, 0.9, 0.9, 0.9, 0.9, 0.85}), 1 + 2 * 0.85, 1e-9);
}

TEST(ModifiedCrushableFoam, TakesOneCurve) {
  EXPECT_NEAR(after_rates(rate_foam({{"TID", 5.0}}), {0.9, 0.9}), 1, 1e-9);
}

TEST(ModifiedCrushableFoam, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"TID", 7.0},
                                     {"TID", 9.0},
                                     {"E", 0.0},
                                     {"TSC", -1.0},
                                     {"DAMP", -1.0},
                                     {"NCYCLE", 33.0},
                                     {"SRCLMT", -1.0}})
    EXPECT_THROW(rate_foam({{field, value}}), Error) << field << ' ' << value;
}

}  // namespace
}  // namespace crumple::materials
