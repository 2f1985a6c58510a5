// MAT_098 against its closed form: hardening, rates, bounds, failure.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kG = kE / 2.6, kA = 0.3, kB = 0.4, kN = 0.35, kC = 0.02, kEpso = 0.001;

double hardening(double p) { return kA + kB * std::pow(p, kN); }
double factor(double rate) { return 1 + kC * std::log(std::max(1.0, rate / kEpso)); }

TEST(SimplifiedJohnsonCook, FollowsItsHardeningInOneStepOrMany) {
  const Prepared law = prepare({}, johnson_cook({{"C", 0.0}}));
  for (const double p : {1e-6, 1e-4, 0.01, 0.2})
    for (const int count : {1, 3, 50}) {
      const double s = hardening(p), root = std::sqrt(3.0);
      Beam<double> beam(law);
      beam.steps(count, {p + s / kE, 0, 0});
      EXPECT_NEAR(beam.point.s[0], s, 1e-9) << p;
      EXPECT_NEAR(beam.point.plastic_strain, p, 1e-9);
      Solid<double> solid(law);
      Shell<double> shell(law);
      const double gamma = root * p + s / (root * kG);
      solid.steps(count, {0, 0, 0, gamma, 0, 0});
      shell.steps(count, {0, 0, 0, gamma, 0, 0});
      EXPECT_NEAR(solid.point.s[3], s / root, 1e-9);
      EXPECT_NEAR(shell.point.s[3], s / root, 1e-9);
    }
}

TEST(SimplifiedJohnsonCook, RateOfTheDeviatorScalesTheStress) {
  // Simple shear at engineering rate r: effective rate r / sqrt(3). Volume change does not count.
  const Prepared law = prepare({}, johnson_cook({}));
  const double root = std::sqrt(3.0), p = 0.02;
  for (const double rate : {1e-5, 1e-3, 0.1, 10.0}) {
    const double s = hardening(p) * factor(rate), gamma = root * p + s / (root * kG);
    for (const double volume : {0.0, 0.01}) {
      Solid<double> point(law);
      point.steps(9, {volume, volume, volume, 0, gamma, 0}, gamma / (rate * root));
      EXPECT_NEAR(point.point.s[4], s / root, 1e-9) << rate;
    }
  }
}

TEST(SimplifiedJohnsonCook, ViscoplasticTakesThePlasticRate) {
  const Prepared law = prepare({}, johnson_cook({{"VP", 1.0}}));
  for (const double dt : {1e-4, 1e-2, 1.0, 1e3}) {
    Beam<double> beam(law);
    Shell<double> shell(law);
    Solid<double> solid(law);
    for (int k = 0; k < 50; ++k) {
      const double e = 2e-4,
                   p[] = {beam.point.plastic_strain, shell.point.plastic_strain, solid.point.plastic_strain};
      beam.step({e, 0.4 * e, 0}, dt);
      shell.step({e, 0.3 * e, 0, 0.5 * e, 0, 0.1 * e}, dt);
      solid.step({e, -0.4 * e, -0.2 * e, 0.3 * e, 0, 0}, dt);
      const double q[] = {
          std::sqrt(beam.point.s[0] * beam.point.s[0] + 3 * beam.point.s[1] * beam.point.s[1]),
          mises(shell.point.s), mises(solid.point.s)};
      const double now[] = {beam.point.plastic_strain, shell.point.plastic_strain,
                            solid.point.plastic_strain};
      for (int i = 0; i < 3; ++i) {
        if (now[i] == p[i]) continue;
        const double flow = std::min(0.6, hardening(now[i]) * factor((now[i] - p[i]) / dt));
        EXPECT_NEAR(q[i], flow, 1e-8) << "dt " << dt << " point " << i << " step " << k;
      }
    }
    EXPECT_GT(solid.point.plastic_strain, 0.001);
  }
}

TEST(SimplifiedJohnsonCook, BoundsBeforeAndAfterTheRate) {
  const double rate = 1.0, root = std::sqrt(3.0), p = 0.1;
  for (const bool saturated : {false, true}) {
    const Prepared law = prepare({}, johnson_cook({{"SIGMAX", 0.4}, {"SIGSAT", saturated ? 0.42 : 0.0}}));
    const double s = saturated ? 0.42 : 0.4 * factor(rate), gamma = root * p + s / (root * kG);
    Shell<double> point(law);
    point.steps(20, {0, 0, 0, gamma, 0, 0}, gamma / (rate * root));
    EXPECT_NEAR(point.point.s[3], s / root, 1e-9);
    EXPECT_NEAR(point.point.plastic_strain, p, 1e-8);
  }
}

TEST(SimplifiedJohnsonCook, FailsAndRefuses) {
  const Prepared law = prepare({}, johnson_cook({{"PSFAIL", 0.05}}));
  Shell<double> p(law);
  for (int k = 0; k < 1000 && !p.point.failed; ++k) p.step({1e-4, 0, 0, 0, 0, 0});
  EXPECT_GT(p.point.plastic_strain, 0.05);
  EXPECT_LT(p.point.plastic_strain, 0.0502);
  EXPECT_EQ(p.point.s[0], 0);
  for (const auto& [field, value] :
       {std::pair{"A", 0.0}, {"B", -1.0}, {"C", -0.1}, {"EPSO", 0.0}, {"VP", -1.0}})
    EXPECT_THROW(prepare({}, johnson_cook({{field, value}})), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
