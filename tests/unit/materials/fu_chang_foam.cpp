// MAT_083 against its table: rates, unloading, tension.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

model::Model table_model() {
  model::Model m;
  m.curves = {curve(5, {-0.5, 0, 0.1, 0.6, 0.8}, {-0.4, 0, 0.1, 0.2, 1.0}),
              curve(6, {-0.5, 0, 0.1, 0.6, 0.8}, {-0.8, 0, 0.2, 0.4, 2.0}), curve(7, {0, 0.5}, {0, 1})};
  m.tables = {
      {50, {0.0, 10.0}, {0, 1}}, {51, {std::log(0.1), std::log(10.0)}, {0, 1}}, {52, {1.0, 1.0}, {0, 1}}};
  return m;
}
Prepared foam(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(83, {{"E", 1.0}, {"PR", 0.0}, {"TBID", 50.0}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(table_model(), m);
}
double slow(double strain) { return table_model().curves[0](strain); }
/// Presses at a constant rate of logarithmic strain to the stretch l.
void press(StretchedPoint& point, double l, double rate) {
  point.to(l, 1, 1, std::abs(std::log(l / point.stretch[0])) / rate);
}

TEST(FuChangFoam, IsThatOfItsTableAtAnyRate) {
  const Prepared law = foam(), logarithms = foam({{"TBID", 51.0}});
  for (const double rate : {1e-6, 2.0, 5.0, 1e4}) {
    StretchedPoint point(law), other(logarithms);
    for (const double l : {0.7, 0.3}) {
      press(point, l, rate);
      EXPECT_NEAR(point.nominal(0), -slow(1 - l) * (1 + std::min(rate / 10, 1.0)), 1e-4) << rate;
      EXPECT_NEAR(point.nominal(1), 0, 1e-6);
      press(other, l, rate);
      const double place = std::clamp(std::log(rate / 0.1) / std::log(100.0), 0.0, 1.0);
      EXPECT_NEAR(other.nominal(0), -slow(1 - l) * (1 + place), 1e-4) << rate;
    }
  }
}

TEST(FuChangFoam, RatesOfStretchAndOfVolume) {
  const Prepared engineering = foam({{"SFLAG", 1.0}}), volumetric = foam({{"RFLAG", 2.0}});
  StretchedPoint a(engineering), b(volumetric);
  press(a, 0.5, 4.0);
  EXPECT_NEAR(a.nominal(0), -slow(0.5) * (1 + 0.4 * 0.5), 1e-3);
  b.to(0.5, 0.8, 1, 0.5);
  EXPECT_NEAR(b.nominal(0), -slow(0.5) * (1 - std::log(0.4) / 0.5 / 10), 1e-4);
}

// After the first step of a constant rate r the average is r / 12, after n steps of twelve n r / 12 or less.
TEST(FuChangFoam, RatesAreAveraged) {
  const Prepared running = foam(), last = foam({{"SRAF", 1.0}});
  const double d = std::log(0.9) / 20, dt = -d / 6;  // a rate of 6
  StretchedPoint a(running), b(last);
  double share = 0;
  for (int k = 1; k <= 20; ++k) {
    a.to(std::exp(k * d), 1, 1, dt, 1);
    b.to(std::exp(k * d), 1, 1, dt, 1);
    share += (1 - share) / 12;
    const double stress = -slow(1 - std::exp(k * d));
    EXPECT_NEAR(a.nominal(0), stress * (1 + 0.6 * share), 1e-6);
    EXPECT_NEAR(b.nominal(0), stress * (1 + 0.6 * std::min(k / 12.0, 1.0)), 1e-6);
  }
}

TEST(FuChangFoam, UnloadsAlongTheFirstCurveWithoutHu) {
  const Prepared law = foam();
  StretchedPoint point(law);
  press(point, 0.4, 10);
  EXPECT_NEAR(point.nominal(0), -2 * slow(0.6), 1e-4);
  press(point, 0.6, 10);
  EXPECT_NEAR(point.nominal(0), -slow(0.4), 1e-4);
  press(point, 0.5, 10);
  EXPECT_NEAR(point.nominal(0), -2 * slow(0.5), 1e-4);
}

TEST(FuChangFoam, UnloadsBelowItsCurvesWithHu) {
  const double hu = 0.3, shape = 2, exponent = 1.5;
  double most = 0, work = 0;
  for (int k = 0; k < 100000; ++k) {
    most += slow((k + 0.5) * 0.6e-5) * 0.6e-5;
    work += slow((k + 0.5) * 0.4e-5) * 0.4e-5;
  }
  const double factor = 1 - (1 - hu) * std::pow(1 - std::pow(work / most, shape), exponent);
  for (const double independent : {0.0, 1.0}) {
    const Prepared law = foam({{"HU", hu}, {"SHAPE", shape}, {"EXPON", exponent}, {"RIULD", independent}});
    StretchedPoint point(law);
    press(point, 0.4, 10);
    EXPECT_NEAR(point.nominal(0), -2 * slow(0.6), 1e-4);
    press(point, 0.6, 10);
    EXPECT_NEAR(point.nominal(0), -factor * slow(0.4) * (independent > 0 ? 1 : 2), 1e-4);
  }
}

TEST(FuChangFoam, TensionIsElasticOrThatOfTheCurves) {
  const Prepared elastic = foam({{"E", 3.0}, {"TC", 0.9}}), curves = foam({{"E", 3.0}, {"TFLAG", 1.0}}),
                 tearing = foam({{"E", 3.0}, {"TC", 0.9}, {"FAIL", 1.0}});
  StretchedPoint a(elastic), b(curves), c(tearing);
  for (StretchedPoint* point : {&a, &b, &c}) point->to(1.25, 1, 1, 1e6);
  EXPECT_NEAR(a.nominal(0), 0.75, 1e-4);
  EXPECT_NEAR(b.nominal(0), 0.2, 1e-4);
  for (StretchedPoint* point : {&a, &b, &c}) point->to(1.4, 1, 1, 1e6);
  EXPECT_NEAR(a.nominal(0), 0.9, 1e-4);
  EXPECT_EQ(c.nominal(0), 0);
}

TEST(FuChangFoam, StableStepIsThatOfTheSteepestCurve) {
  EXPECT_DOUBLE_EQ(foam().elastic.young, 8);
  EXPECT_DOUBLE_EQ(foam({{"KCON", 5.0}}).elastic.young, 5);
  EXPECT_DOUBLE_EQ(foam({{"TBID", 7.0}}).elastic.young, 2);
}

TEST(FuChangFoam, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"TBID", 0.0},
                                     {"TBID", 9.0},
                                     {"TBID", 52.0},
                                     {"PVID", 5.0},
                                     {"RFLAG", 1.0},
                                     {"REF", 2.0},
                                     {"HU", 2.0},
                                     {"DAMP", -1.0},
                                     {"E", 0.0}})
    EXPECT_THROW(foam({{field, value}}), Error) << field << ' ' << value;
  EXPECT_THROW(foam({{"TBID", 7.0}, {"TFLAG", 1.0}}), Error);
}

}  // namespace
}  // namespace crumple::materials
