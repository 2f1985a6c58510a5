// MAT_027 against closed forms of the incompressible limit and of small strain.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kA = 100.0, kB = 10.0, kShear = 2 * (kA + kB);

Prepared rubber(double nu = 0.495) { return prepare({}, material(27, {{"A", kA}, {"B", kB}, {"PR", nu}})); }

TEST(MooneyRivlin, IsHookesLawAtSmallStrain) {
  for (const double nu : {0.46, 0.495}) {
    const Prepared law = rubber(nu);
    EXPECT_DOUBLE_EQ(law.elastic.shear, kShear);
    Solid<double> solid(law);
    const double strain = 1e-7;
    solid.point.volume_ratio = 1 + strain;
    solid.step({strain, 0, 0, 0, 2e-7, 0});
    const double bulk = 2 * kShear * (1 + nu) / (3 * (1 - 2 * nu));
    EXPECT_NEAR(solid.point.s[0] / strain, bulk + 4 * kShear / 3, 1e-5 * bulk);
    EXPECT_NEAR(solid.point.s[1] / strain, bulk - 2 * kShear / 3, 1e-5 * bulk);
    EXPECT_NEAR(solid.point.s[4], kShear * 2e-7, 1e-12 * bulk);
    Shell<double> shell(law);
    shell.step({strain, 0, 0, 0, 0, 0});
    EXPECT_NEAR(shell.point.s[0] / strain, 2 * kShear / (1 - nu), 1e-4 * kShear);
    EXPECT_NEAR(shell.point.s[1] / strain, 2 * kShear * nu / (1 - nu), 1e-4 * kShear);
    EXPECT_NEAR(shell.point.d[2] / strain, -nu / (1 - nu), 1e-5);
  }
}

// Cauchy stress of an incompressible sheet: 2 (l^2 - 1 / l^4) (A + B l^2), Rivlin 1948.
TEST(MooneyRivlin, SheetStretchedBothWays) {
  const Prepared law = rubber(0.49999);
  Shell<double> shell(law);
  const double stretch = 1.8, d = std::log(stretch);
  shell.steps(2000, {d, d, 0, 0, 0, 0});
  const double exact = 2 * (stretch * stretch - std::pow(stretch, -4)) * (kA + kB * stretch * stretch);
  EXPECT_NEAR(shell.point.s[0], exact, 2e-4 * exact);
  EXPECT_NEAR(shell.point.s[1], exact, 2e-4 * exact);
}

// The same of a strip pulled one way, whose width is found so that its sides are free.
TEST(MooneyRivlin, StripPulled) {
  const Prepared law = rubber(0.49999);
  Shell<double> shell(law);
  const double stretch = 2.0, d = std::log(stretch);
  shell.steps(2000, {d, -d / 2, 0, 0, 0, 0});
  const double exact = 2 * (stretch * stretch - 1 / stretch) * (kA + kB / stretch);
  EXPECT_NEAR(shell.point.s[0], exact, 3e-4 * exact);
  EXPECT_NEAR(shell.point.s[1], 0.0, 3e-4 * exact);
}

TEST(MooneyRivlin, SolidTakesItsPressureFromTheVolume) {
  const Prepared law = rubber();
  Solid<double> solid(law);
  const double stretch = 1.5, d = std::log(stretch);
  solid.point.volume_ratio = 1.0;
  solid.steps(1000, {d, -d / 2, -d / 2, 0, 0, 0});
  const double exact = 2 * (stretch * stretch - 1 / stretch) * (kA + kB / stretch);
  EXPECT_NEAR(solid.point.s[0] - solid.point.s[1], exact, 1e-5 * exact);
  EXPECT_NEAR(solid.point.s[1], solid.point.s[2], 1e-9 * exact);
}

TEST(MooneyRivlin, TurnsWithTheSolid) {
  const Prepared law = rubber();
  Solid<double> solid(law);
  solid.point.volume_ratio = 1.02;
  for (int k = 0; k < 3; ++k) solid.step({k == 0 ? 0.03 : 0, k == 0 ? -0.01 : 0, 0, k == 0 ? 0.02 : 0, 0, 0});
  const double before[3] = {solid.point.s[0], solid.point.s[1], solid.point.s[3]};
  const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  solid.point.rotation = quarter;
  solid.step({0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], before[1], 1e-9);
  EXPECT_NEAR(solid.point.s[1], before[0], 1e-9);
  EXPECT_NEAR(solid.point.s[3], -before[2], 1e-9);
}

TEST(MooneyRivlin, ComesBackWithoutStress) {
  const Prepared law = rubber();
  Shell<double> shell(law);
  shell.steps(1000, {0.4, -0.2, 0, 0.3, 0.1, 0});
  shell.steps(1000, {-0.4, 0.2, 0, -0.3, -0.1, 0});
  for (const double s : shell.point.s) EXPECT_NEAR(s, 0.0, 1e-3 * kShear);
}

TEST(MooneyRivlin, RefusesRubberThatWouldNotResistExpansion) {
  EXPECT_THROW(rubber(0.3), Error);
  EXPECT_THROW(prepare({}, material(27, {{"A", -1.0}, {"PR", 0.495}})), Error);
}

}  // namespace
}  // namespace crumple::materials
