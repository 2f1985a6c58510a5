// MAT_018 against its closed form: the strain to yield, hardening, unloading, rates, failure.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kG = kE / 2.6, kK = 0.6, kN = 0.2;

double flow(double strain_to_yield, double p) { return kK * std::pow(strain_to_yield + p, kN); }

/// Uniaxial and shear loading to the plastic strain p.
void check_hardening(const Prepared& law, double strain_to_yield) {
  const double root = std::sqrt(3.0);
  for (const double p : {1e-5, 1e-3, 0.05, 0.3})
    for (const int count : {1, 40}) {
      const double s = flow(strain_to_yield, p);
      Beam<double> beam(law);
      beam.steps(count, {p + s / kE, 0, 0});
      EXPECT_NEAR(beam.point.s[0], s, 1e-9) << p;
      EXPECT_NEAR(beam.point.plastic_strain, p, 1e-9);
      const double gamma = root * p + s / (root * kG);
      Solid<double> solid(law);
      Shell<double> shell(law);
      solid.steps(count, {0, 0, 0, 0, gamma, 0});
      shell.steps(count, {0, 0, 0, gamma, 0, 0});
      EXPECT_NEAR(solid.point.s[4], s / root, 1e-9);
      EXPECT_NEAR(shell.point.s[3], s / root, 1e-9);
    }
}

TEST(PowerLawPlasticity, TheLineOfYoungsModulusMeetsThePower) {
  const double strain = std::pow(kE / kK, 1 / (kN - 1));
  EXPECT_NEAR(kE * strain, flow(strain, 0), 1e-12);
  check_hardening(prepare({}, power_law({{"SIGY", 0.0}})), strain);
}

TEST(PowerLawPlasticity, SigyIsAStrainBelowTwoHundredthsAndAStressAbove) {
  check_hardening(prepare({}, power_law({{"SIGY", 0.002}})), 0.002);
  const double strain = std::pow(0.35 / kK, 1 / kN);
  EXPECT_NEAR(flow(strain, 0), 0.35, 1e-12);
  check_hardening(prepare({}, power_law({{"SIGY", 0.35}})), strain);
}

TEST(PowerLawPlasticity, UnloadsElasticallyAndYieldsAgainAtTheSameStress) {
  const Prepared law = prepare({}, power_law({{"SIGY", 0.002}}));
  Beam<double> beam(law);
  const double s = flow(0.002, 0.02);
  beam.steps(10, {0.02 + s / kE, 0, 0});
  beam.step({-s / kE, 0, 0});
  EXPECT_NEAR(beam.point.s[0], 0, 1e-9);
  beam.step({-s / kE, 0, 0});
  EXPECT_NEAR(beam.point.s[0], -s, 1e-9);
  EXPECT_NEAR(beam.point.plastic_strain, 0.02, 1e-9);
}

TEST(PowerLawPlasticity, RateOfTotalStrainScalesTheStress) {
  // Simple shear at the engineering rate r: sqrt(d_ij d_ij) = r / sqrt(2).
  const Prepared law = prepare({}, power_law({{"SIGY", 0.002}, {"SRC", 40.0}, {"SRP", 5.0}}));
  const double root = std::sqrt(3.0), p = 0.02;
  for (const double rate : {1e-3, 1.0, 100.0}) {
    const double s = flow(0.002, p) * (1 + std::pow(rate / std::sqrt(2.0) / 40, 0.2));
    const double gamma = root * p + s / (root * kG);
    Solid<double> solid(law);
    solid.steps(9, {0, 0, 0, 0, 0, gamma}, gamma / rate);
    EXPECT_NEAR(solid.point.s[5], s / root, 1e-9) << rate;
  }
}

TEST(PowerLawPlasticity, ViscoplasticTakesThePlasticRate) {
  const Prepared law = prepare({}, power_law({{"SIGY", 0.002}, {"SRC", 40.0}, {"SRP", 5.0}, {"VP", 1.0}}));
  for (const double dt : {1e-4, 1e-2, 10.0}) {
    Shell<double> shell(law);
    Solid<double> solid(law);
    for (int k = 0; k < 50; ++k) {
      const double e = 2e-4, before[] = {shell.point.plastic_strain, solid.point.plastic_strain};
      shell.step({e, 0.3 * e, 0, 0.5 * e, 0, 0.1 * e}, dt);
      solid.step({e, -0.4 * e, -0.2 * e, 0.3 * e, 0, 0}, dt);
      const double q[] = {mises(shell.point.s), mises(solid.point.s)};
      const double now[] = {shell.point.plastic_strain, solid.point.plastic_strain};
      for (int i = 0; i < 2; ++i)
        if (now[i] != before[i]) {
          const double rate = (now[i] - before[i]) / dt;
          EXPECT_NEAR(q[i], flow(0.002, now[i]) * (1 + std::pow(rate / 40, 0.2)), 1e-8) << dt << ' ' << k;
        }
    }
    EXPECT_GT(solid.point.plastic_strain, 0.001);
  }
}

TEST(PowerLawPlasticity, FailsAndRefuses) {
  const Prepared law = prepare({}, power_law({{"EPSF", 0.05}}));
  Shell<double> p(law);
  for (int k = 0; k < 1000 && !p.point.failed; ++k) p.step({1e-4, 0, 0, 0, 0, 0});
  EXPECT_GT(p.point.plastic_strain, 0.05);
  EXPECT_LT(p.point.plastic_strain, 0.0502);
  EXPECT_EQ(p.point.s[0], 0);
  for (const auto& [field, value] :
       {std::pair{"K", 0.0}, {"N", -0.1}, {"N", 1.0}, {"SIGY", -1.0}, {"VP", -1.0}, {"SRC", 40.0}})
    EXPECT_THROW(prepare({}, power_law({{field, value}})), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
