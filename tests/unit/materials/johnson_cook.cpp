// MAT_015 against its closed form: rates, adiabatic heating, failure, spall; shells, and solids with an
// equation of state.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/eos/hydro_history.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kRho = 7.8e-6, kA = 0.3, kB = 0.4, kN = 0.35, kC = 0.02, kM = 1.1, kRange = 1500,
                 kHeat = 5e-4;

double pressure(const SolidPoint<double>& p) { return -(p.s[0] + p.s[1] + p.s[2]) / 3; }

/// The temperature rise at the plastic strain p of adiabatic flow, by small steps of dT = s dp / (rho CP).
double rise_at(double p, double factor) {
  const int n = 200000;
  double rise = 0;
  for (int k = 0; k < n; ++k) {
    const double strain = p * (k + 0.5) / n;
    const double s =
        (kA + kB * std::pow(strain, kN)) * factor * (1 - std::pow(std::min(rise / kRange, 1.0), kM));
    rise += s * p / n / (kRho * kHeat * 1e5);
  }
  return rise;
}

TEST(JohnsonCook, FlowSoftensByItsHeat) {
  // rho CP of 3.9e-4 GPa / K.
  const double root = std::sqrt(3.0), p = 0.3;
  for (const double rate : {1e-4, 10.0}) {
    const double factor = 1 + kC * std::log(std::max(1.0, rate / 0.001)), rise = rise_at(p, factor);
    const double s = (kA + kB * std::pow(p, kN)) * factor * (1 - std::pow(rise / kRange, kM));
    const model::Material m = thermal({{"CP", kHeat * 1e5}});
    const Prepared solids = prepare({}, m), shells = prepare({}, without_state(m));
    Solid<double> solid(solids);
    Shell<double> shell(shells);
    const int n = 3000;
    for (int k = 0; k < n && solid.point.plastic_strain < p; ++k) {
      solid.step({0, 0, 0, 1.1 * root * p / n, 0, 0}, 1.1 * p / n / rate);
      shell.step({0, 0, 0, 1.1 * root * p / n, 0, 0}, 1.1 * p / n / rate);
    }
    EXPECT_NEAR(root * solid.point.s[3], s, 1e-4 * s) << rate;
    EXPECT_NEAR(root * shell.point.s[3], s, 1e-3 * s);
    EXPECT_NEAR(solid.point.history.load<double>(kHydroVariables), rise, 2e-3 * rise);
    EXPECT_NEAR(shell.point.history.load<double>(0), rise, 3e-3 * rise);
  }
}

TEST(JohnsonCook, ViscoplasticTakesThePlasticRateAndUnloadsElastically) {
  const model::Material m = thermal({{"CP", 0.0}, {"VP", 1.0}});
  const Prepared solids = prepare({}, m), shells = prepare({}, without_state(m));
  Solid<double> solid(solids);
  Shell<double> shell(shells);
  for (int k = 0; k < 60; ++k) {
    const double e = 2e-4, before[] = {solid.point.plastic_strain, shell.point.plastic_strain};
    solid.step({e, -0.4 * e, -0.2 * e, 0.3 * e, 0, 0}, 1e-3);
    shell.step({e, -0.4 * e, 0, 0.3 * e, 0, 0}, 1e-3);
    const double now[] = {solid.point.plastic_strain, shell.point.plastic_strain},
                 q[] = {mises(solid.point.s), mises(shell.point.s)};
    for (int i = 0; i < 2; ++i)
      if (now[i] != before[i]) {
        const double rate = (now[i] - before[i]) / 1e-3;
        EXPECT_NEAR(q[i], (kA + kB * std::pow(now[i], kN)) * (1 + kC * std::log(std::max(1.0, rate / 0.001))),
                    1e-8);
      }
  }
  const double p = solid.point.plastic_strain, s = solid.point.s[3];
  solid.step({-5e-4, 2e-4, 1e-4, -1.5e-4, 0, 0}, 1e-3);
  EXPECT_NEAR(solid.point.s[3], s - 80 * 1.5e-4, 1e-9);
  EXPECT_EQ(solid.point.plastic_strain, p);
}

TEST(JohnsonCook, DamageSumsToOneAtTheStrainOfFailure) {
  // Shear: no mean stress; D1 + D2 = 0.2, with the rate and without heat.
  const double root = std::sqrt(3.0), rate = 10;
  const model::Material m = thermal({{"CP", 0.0},
                                     {"D1", 0.05},
                                     {"D2", 0.15},
                                     {"D3", -2.0},
                                     {"D4", 0.01},
                                     {"VP", 1.0},
                                     {"EOS.GAMAO", 0.0},
                                     {"EOS.A", 0.0}});
  const Prepared solids = prepare({}, m), shells = prepare({}, without_state(m));
  const double expected = 0.2 * (1 + 0.01 * std::log(rate / 0.001));
  Solid<double> solid(solids);
  Shell<double> shell(shells);
  const double dp = 1e-4;
  double reached = 0;
  for (int k = 0; k < 5000 && !solid.point.failed; ++k, reached = solid.point.plastic_strain) {
    solid.step({0, 0, 0, root * dp, 0, 0}, dp / rate);
    shell.step({0, 0, 0, root * dp, 0, 0}, dp / rate);
  }
  EXPECT_NEAR(reached, expected, 3e-4);
  for (const double s : solid.point.s) EXPECT_EQ(s, 0);
  shell.steps(50, {0, 0, 0, 50 * root * dp, 0, 0}, 50 * dp / rate);
  EXPECT_TRUE(shell.point.failed);
  EXPECT_NEAR(shell.point.plastic_strain, expected, 1e-3);
  EXPECT_EQ(shell.point.s[3], 0);
}

TEST(JohnsonCook, TensionFailsSooner) {
  // Uniaxial tension in shells: the mean stress is a third of the equivalent one.
  const Prepared law = prepare(
      {}, without_state(thermal({{"CP", 0.0}, {"C", 0.0}, {"D1", 0.05}, {"D2", 0.15}, {"D3", -2.0}})));
  Shell<double> shell(law);
  double reached = 0;
  for (int k = 0; k < 9000 && !shell.point.failed; ++k, reached = shell.point.plastic_strain)
    shell.step({5e-5, -2.5e-5, 0, 0, 0, 0});
  EXPECT_NEAR(reached, 0.05 + 0.15 * std::exp(-2.0 / 3), 1e-3);
}

TEST(JohnsonCook, SpallsAsItsModelSays) {
  for (const double spall : {1.0, 2.0, 3.0}) {
    const Prepared law = prepare({}, thermal({{"PC", -1.0}, {"SPALL", spall}, {"CP", 0.0}}));
    Solid<double> point(law);
    point.step({0, 0, 0, 2e-3, 0, 0}, 1.0);
    const double e = 0.8 / (kRho * 16e6) / 3;  // a tension of about 0.8; with the shear 0.97
    EXPECT_GT(mises(point.point.s), 0.2);
    point.steps(10, {0.1 * e, 0.1 * e, 0.1 * e, 0, 0, 0});
    EXPECT_GT(mises(point.point.s), 0.2);
    point.steps(10, {2 * e, 2 * e, 2 * e, 0, 0, 0});
    if (spall == 1) {
      EXPECT_NEAR(pressure(point.point), -1, 1e-12);
      EXPECT_GT(mises(point.point.s), 0.2);
    } else {
      EXPECT_EQ(pressure(point.point), 0);
      EXPECT_EQ(mises(point.point.s), 0);
    }
    point.step({0, 0, 0, 2e-3, 0, 0}, 1.0);
    EXPECT_EQ(mises(point.point.s) > 0, spall == 1);
    point.steps(10, {-6 * e, -6 * e, -6 * e, 0, 0, 0});
    EXPECT_GT(pressure(point.point), 1.0);
    EXPECT_FALSE(point.point.failed);
  }
}

TEST(JohnsonCook, WithErodItStaysAsAFluid) {
  const Prepared law = prepare({}, thermal({{"CP", 0.0}, {"D1", 0.05}, {"EROD", 1.0}}));
  Solid<double> point(law);
  point.steps(100, {0, 0, 0, 0.3, 0, 0});
  EXPECT_FALSE(point.point.failed);
  EXPECT_EQ(point.point.s[3], 0);
  point.step({-0.01, 0, 0, 0.01, 0, 0});
  EXPECT_NEAR(mises(point.point.s), 0, 1e-12);
  EXPECT_GT(pressure(point.point), 0.5);
  EXPECT_NEAR(point.point.plastic_strain, 0.05, 3e-3);
}

TEST(JohnsonCook, Refuses) {
  for (const auto& [field, value] : {std::pair{"A", 0.0},
                                     {"B", -1.0},
                                     {"TM", 200.0},
                                     {"M", 0.0},
                                     {"EPSO", 0.0},
                                     {"VP", -1.0},
                                     {"RATEOP", 1.0},
                                     {"G", 0.0},
                                     {"PC", 1.0},
                                     {"SPALL", 4.0},
                                     {"CP", -1.0}})
    EXPECT_THROW(prepare({}, thermal({{field, value}})), Error) << field;
  EXPECT_THROW(prepare({}, without_state(thermal({{"E", 0.0}}))), Error);
}

}  // namespace
}  // namespace crumple::materials
