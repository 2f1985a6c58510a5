// MAT_057 against its curve: loading, unloading, decay, tension, and rates.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kYoung = 2.0;

model::Model foam_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.05, 0.6, 0.8}, {0, 0.1, 0.2, 1.2}), curve(6, {0, 0.5}, {0.1, 1}),
              curve(7, {0, 0.5}, {0, -1})};
  return m;
}
Prepared foam(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(57, {{"E", kYoung}, {"PR", 0.0}, {"LCID", 5.0}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(foam_model(), m);
}
double of_curve(double strain) { return foam_model().curves[0](strain); }
/// Work of the curve per volume, by small steps.
double work_of_curve(double strain) {
  double work = 0;
  for (int k = 0; k < 100000; ++k) work += of_curve((k + 0.5) * 1e-5 * strain) * 1e-5 * strain;
  return work;
}

TEST(LowDensityFoam, FollowsItsCurveInEachDirectionAlone) {
  const Prepared law = foam();
  for (const double l : {0.97, 0.7, 0.35, 0.25}) {
    StretchedPoint point(law);
    point.to(1, l, 1);
    EXPECT_NEAR(point.nominal(1), -of_curve(1 - l), 1e-5) << l;
    EXPECT_NEAR(point.nominal(0), 0, 1e-6);
    EXPECT_NEAR(point.work, work_of_curve(1 - l), 1e-4 * point.work);
    point.to(0.8, l, 0.6);
    EXPECT_NEAR(point.nominal(0), -of_curve(0.2), 1e-4);
    EXPECT_NEAR(point.nominal(1), -of_curve(1 - l), 2e-4);
    EXPECT_NEAR(point.nominal(2), -of_curve(0.4), 1e-4);
  }
  StretchedPoint beyond(law);  // straight beyond the last point: slope 5
  beyond.to(0.1, 1, 1);
  EXPECT_NEAR(beyond.nominal(0), -1.7, 1e-4);
}

TEST(LowDensityFoam, StableStepIsThatOfTheSteepestSlopeOrKcon) {
  EXPECT_DOUBLE_EQ(foam().elastic.young, 5);
  EXPECT_DOUBLE_EQ(foam({{"KCON", 3.0}}).elastic.young, 3);
  EXPECT_DOUBLE_EQ(foam({{"KCON", 1.0}}).elastic.young, kYoung);
  EXPECT_DOUBLE_EQ(foam({{"ED", 4.0}}).elastic.young, 9);
  const Prepared law = foam();
  EXPECT_DOUBLE_EQ(law.elastic.bulk + 4.0 / 3.0 * law.elastic.shear, 5);
  EXPECT_EQ(law.elastic.poisson, 0);
  EXPECT_FALSE(law.bulk_viscosity);
  EXPECT_TRUE(foam({{"BVFLAG", 1.0}}).bulk_viscosity);
  EXPECT_EQ(foam({{"DAMP", 0.1}}).damping, 0.1);
}

// Simple shear x = X + gamma Y has b = [1 + gamma^2, gamma; gamma, 1]: principal stretches l and 1 / l, tan(2
// a) = 2 / gamma.
TEST(LowDensityFoam, ShearIsThatOfItsPrincipalStretches) {
  const Prepared law = foam();
  Solid<double> solid(law);
  constexpr int count = 4000;
  const double gamma = 0.8, d = gamma / count, c = std::cos(d / 2), s = std::sin(d / 2);
  const double rotation[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  solid.point.volume_ratio = 1;
  solid.point.rotation = rotation;
  for (int k = 0; k < count; ++k) solid.step({0, 0, 0, d, 0, 0});
  const double l = gamma / 2 + std::sqrt(1 + gamma * gamma / 4), a = 0.5 * std::atan2(2, gamma);
  const double first = kYoung * (l - 1) * l, second = -of_curve(1 - 1 / l) / l;
  const double cc = std::cos(a) * std::cos(a), ss = std::sin(a) * std::sin(a);
  EXPECT_NEAR(solid.point.s[0], first * cc + second * ss, 1e-3);
  EXPECT_NEAR(solid.point.s[1], first * ss + second * cc, 1e-3);
  EXPECT_NEAR(solid.point.s[3], (first - second) * std::cos(a) * std::sin(a), 1e-3);
  EXPECT_NEAR(solid.point.s[2], 0, 1e-9);
}

TEST(LowDensityFoam, UnloadsAndReloadsBelowItsCurveByHuAndShape) {
  const double hu = 0.2, shape = 3;
  const Prepared law = foam({{"HU", hu}, {"SHAPE", shape}});
  StretchedPoint point(law);
  point.to(0.4, 1, 1);
  EXPECT_NEAR(point.nominal(0), -of_curve(0.6), 1e-5);
  const double most = work_of_curve(0.6);
  for (const double l : {0.6, 0.9, 0.5}) {  // down, further down, and up again
    point.to(l, 1, 1);
    const double factor = 1 - (1 - hu) * (1 - std::pow(work_of_curve(1 - l) / most, shape));
    EXPECT_NEAR(point.nominal(0), -factor * of_curve(1 - l), 1e-4 * of_curve(1 - l)) << l;
  }
  point.to(0.35, 1, 1);
  EXPECT_NEAR(point.nominal(0), -of_curve(0.65), 1e-5);  // beyond: the curve
  point.to(1, 1, 1);
  EXPECT_NEAR(point.nominal(0), 0, 1e-6);
  EXPECT_GT(point.work, 0.5 * work_of_curve(0.65));
}

TEST(LowDensityFoam, WithoutHuNothingIsLost) {
  const Prepared law = foam();
  StretchedPoint point(law);
  point.to(0.3, 0.9, 1);
  EXPECT_GT(point.work, 0.1);
  point.to(1, 1, 1);
  EXPECT_NEAR(point.work, 0, 1e-5);
}

TEST(LowDensityFoam, BetaLetsTheCurveComeBack) {
  const double hu = 0.1, beta = 2;
  const Prepared law = foam({{"HU", hu}, {"BETA", beta}});
  StretchedPoint point(law);
  point.to(0.4, 1, 1, 1e-9);
  point.to(0.6, 1, 1, 1e-9);
  const double work = work_of_curve(0.4), most = work_of_curve(0.6), rest = 0.7;
  EXPECT_NEAR(point.nominal(0), -(1 - (1 - hu) * (1 - work / most)) * of_curve(0.4), 1e-4);
  point.to(0.6, 1, 1, rest);  // waits
  const double left = work + (most - work) * std::exp(-beta * rest);
  EXPECT_NEAR(point.nominal(0), -(1 - (1 - hu) * (1 - work / left)) * of_curve(0.4), 1e-4);
  point.to(0.6, 1, 1, 30);
  EXPECT_NEAR(point.nominal(0), -of_curve(0.4), 1e-5);
}

TEST(LowDensityFoam, PullsUpToTheCutOffAndStaysOrTears) {
  const double cut = 0.3;  // reached at 15 %
  const Prepared law = foam({{"TC", cut}}), tearing = foam({{"TC", cut}, {"FAIL", 1.0}});
  StretchedPoint stays(law), tears(tearing);
  for (StretchedPoint* point : {&stays, &tears}) {
    point->to(1.1, 1, 1);
    EXPECT_NEAR(point->nominal(0), 0.1 * kYoung, 1e-5);
    EXPECT_EQ(point->solid.point.failed, false);
  }
  stays.to(1.4, 1, 1);
  EXPECT_NEAR(stays.nominal(0), cut, 1e-5);
  stays.to(1.1, 1, 1);
  EXPECT_NEAR(stays.nominal(0), 0.1 * kYoung, 1e-5);
  tears.to(1.2, 1, 1);
  EXPECT_EQ(tears.nominal(0), 0);
  tears.to(1.1, 1.1, 1);
  EXPECT_NEAR(tears.nominal(0), 0, 1e-12);
  EXPECT_NEAR(tears.nominal(1), 0, 1e-12);
  tears.to(0.6, 1.1, 1);  // it still carries pressure
  EXPECT_NEAR(tears.nominal(0), -of_curve(0.4), 1e-4);
}

// A Maxwell element at a constant rate r of logarithmic strain: E r / b (1 - exp(-b t)).
TEST(LowDensityFoam, RelaxesBesideItsCurve) {
  const double modulus = 0.5, b = 3, time = 0.4, l = 0.7;
  const Prepared law = foam({{"ED", modulus}, {"BETA1", b}});
  StretchedPoint point(law);
  point.to(1, l, 1, time, 50);
  const double viscous = modulus * std::log(l) / (time * b) * (1 - std::exp(-b * time));
  EXPECT_NEAR(point.solid.point.s[1], -of_curve(1 - l) + viscous, 1e-4);
  point.to(1, l, 1, 1.0);
  EXPECT_NEAR(point.solid.point.s[1], -of_curve(1 - l) + viscous * std::exp(-b), 1e-4);
}

TEST(LowDensityFoam, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"LCID", 9.0},
                                     {"LCID", 6.0},
                                     {"LCID", 7.0},
                                     {"E", 0.0},
                                     {"HU", 1.5},
                                     {"REF", 2.0},
                                     {"DAMP", -5.0},
                                     {"TC", -1.0}})
    EXPECT_THROW(foam({{field, value}}), Error) << field << ' ' << value;
}

}  // namespace
}  // namespace crumple::materials
