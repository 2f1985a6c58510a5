// Equations of state and their laws in solids: pressures, energy on isentropes, the Hugoniot, spall, failure.
#include "materials/eos/equation_of_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "materials/eos/hydro_history.hpp"
#include "materials/eos/state_fields.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kGamma = 1.4, kE0 = 2.5e-4, kRho = 7.8e-6;

double pressure(const SolidPoint<double>& p) { return -(p.s[0] + p.s[1] + p.s[2]) / 3; }
double gained(const Solid<double>& p) { return p.point.history.load<double>(kEnergyGained); }

/// p' and B' by differences, and the modulus.
void check_slopes(const EquationOfState& eos) {
  for (const double mu : {-0.3, -0.02, 0.01, 0.15, 0.4}) {
    const double h = 1e-6, energy = 0.7;
    const auto at = [&](double m) { return state_terms(eos, 1 / (1 + m)); };
    const StateTerms<double> t = at(mu), up = at(mu + h), down = at(mu - h);
    EXPECT_NEAR(t.cold_slope, (up.cold - down.cold) / (2 * h), 1e-6 * std::abs(t.cold_slope)) << mu;
    EXPECT_NEAR(t.thermal_slope, (up.thermal - down.thermal) / (2 * h), 1e-6) << mu;
    const double p = t.cold + t.thermal * energy, volume = 1 / (1 + mu), dv = 1e-7;
    const StateTerms<double> further = state_terms(eos, volume + dv);
    const double p_further = further.cold + further.thermal * (energy - p * dv);
    EXPECT_NEAR(isentropic_bulk(t, volume, energy, p), -volume * (p_further - p) / dv, 2e-4 * eos.bulk) << mu;
  }
}

TEST(EquationOfState, PolynomialAsWritten) {
  const EquationOfState eos = equation_of_state(polynomial(10, {{"EOS.C4", 1.5}, {"EOS.E0", 0.02}}));
  const double mu = 0.1;
  const StateTerms<double> t = state_terms(eos, 1 / (1 + mu));
  EXPECT_NEAR(t.cold, 0.01 + 170 * mu + 300 * mu * mu + 500 * mu * mu * mu, 1e-10);
  EXPECT_NEAR(t.thermal, 1.5 + 0.5 * mu + 0.3 * mu * mu, 1e-12);
  const StateTerms<double> expanded = state_terms(eos, 1 / (1 - mu));
  EXPECT_NEAR(expanded.cold, 0.01 - 170 * mu - 500 * mu * mu * mu, 1e-10);
  EXPECT_NEAR(expanded.thermal, 1.5 - 0.5 * mu, 1e-12);
  EXPECT_NEAR(eos.bulk, 170 + 0.5 * 0.02 + 1.5 * (0.01 + 1.5 * 0.02), 1e-9);
  check_slopes(eos);
}

TEST(EquationOfState, GruneisenMeetsItsHugoniot) {
  // Jump conditions: mu = u / (U - u), p = rho0 U u, E = rho0 u^2 / 2, with U = C + S1 u + S2 u^2 / U + S3
  // u^3 / U^2 (Steinberg 1996).
  const EquationOfState eos = equation_of_state(gruneisen(10, {{"EOS.S2", 0.3}, {"EOS.S3", 0.1}}));
  const double c = 4000, rho = kRho;
  for (const double u : {10.0, 300.0, 1000.0}) {
    double shock = c;
    for (int k = 0; k < 200; ++k) shock = c + 1.5 * u + 0.3 * u * u / shock + 0.1 * u * u * u / shock / shock;
    const double mu = u / (shock - u), volume = 1 / (1 + mu), p = rho * shock * u, e = 0.5 * rho * u * u;
    const StateTerms<double> t = state_terms(eos, volume);
    EXPECT_NEAR(t.cold + t.thermal * e, p, 1e-9 * p) << u;
  }
  EXPECT_NEAR(eos.bulk, rho * c * c, 1e-9);
  check_slopes(eos);
}

TEST(EquationOfState, TabulatedIsLinearBetweenPointsAndBeyond) {
  const EquationOfState eos = equation_of_state(tabulated(10, {}));
  for (const double x : {-0.4, -0.25, -0.1, -0.05, 0.05, 0.4}) {
    const double cold = x < -0.1 ? 20 + 300 * (-0.1 - x) : x < 0 ? -200 * x : -150 * x;
    const double thermal = x < -0.1 ? 1.2 + 2 * (-0.1 - x) : x < 0 ? 1 - 2 * x : 1 - x;
    const StateTerms<double> t = state_terms(eos, std::exp(x));
    EXPECT_NEAR(t.cold, cold, 1e-10) << x;
    EXPECT_NEAR(t.thermal, 1.7 * thermal, 1e-10) << x;
  }
  check_slopes(eos);
}

TEST(EquationOfState, AnIdealGasStaysOnItsIsentrope) {
  // p = (g - 1) E / V; p V^g is constant, and E0 - E1 is the work.
  const Prepared law = prepare({}, fluid({}));
  EXPECT_NEAR(law.elastic.bulk, kGamma * (kGamma - 1) * kE0, 1e-15);
  for (const double strain : {-1.0, 0.5}) {
    Solid<double> gas(law);
    const double e = strain / 3;
    for (int i = 0; i < 3; ++i) gas.point.s[i] = -(kGamma - 1) * kE0;
    gas.steps(4000, {e, e, e, 0, 0, 0});
    const double volume = gas.point.volume_ratio, p0 = (kGamma - 1) * kE0;
    EXPECT_NEAR(volume, std::exp(strain), 1e-7);
    EXPECT_NEAR(pressure(gas.point), p0 * std::pow(volume, -kGamma), 1e-6 * p0);
    EXPECT_NEAR(gained(gas), kE0 * (std::pow(volume, 1 - kGamma) - 1), 1e-6 * kE0);
    const double stiffening = gas.point.history.load<double>(kStiffening);
    EXPECT_NEAR(stiffening, std::max(0.0, kGamma * (pressure(gas.point) - p0)), 1e-8);
  }
}

TEST(EquationOfState, AFluidHasItsViscosityCutoffAndVolumes) {
  const Prepared law = prepare({}, fluid({{"MU", 1e-6},
                                          {"EOS.C1", 2.2},
                                          {"EOS.E0", 0.0},
                                          {"EOS.C4", 0.0},
                                          {"EOS.C5", 0.0},
                                          {"PC", -0.01},
                                          {"TEROD", 1.1},
                                          {"CEROD", 0.8}}));
  Solid<double> water(law);
  water.step({0, 0, 0, 2e-3, 0, 0}, 1e-2);
  EXPECT_NEAR(water.point.s[3], 1e-6 * 0.2, 1e-18);
  water.step({2e-3, -1e-3, -1e-3, 0, 0, 0}, 1e-2);
  EXPECT_NEAR(water.point.s[0] + pressure(water.point), 2 * 1e-6 * 0.2, 1e-12);
  water.step({0.02, 0, 0, 0, 0, 0});
  EXPECT_NEAR(pressure(water.point), -0.01, 1e-12);
  EXPECT_FALSE(water.point.failed);
  water.step({0.1, 0, 0, 0, 0, 0});
  EXPECT_TRUE(water.point.failed);
  Solid<double> pressed(law);
  pressed.steps(10, {-0.25, 0, 0, 0, 0, 0});
  EXPECT_TRUE(pressed.point.failed);
}

TEST(EquationOfState, EnergyIsTheWorkOfStressAndViscosity) {
  // What the element counts: half the old and new stress times the strain, and -q times the volume's change.
  for (const model::Material& m : {gruneisen(10, {{"SIGY", 0.3}, {"EH", 2.0}}), thermal({}),
                                   gruneisen(10, {{"EOS.GAMAO", 0.0}, {"EOS.A", 0.0}})}) {
    const Prepared law = prepare({}, m);
    Solid<double> point(law);
    double work = 0;
    for (int k = 0; k < 200; ++k) {
      const double d[6] = {-1e-3, 2e-4, -3e-4, 8e-4, -2e-4, 1e-4}, q = k < 100 ? 1e-3 : 0;
      double before[6], trace = d[0] + d[1] + d[2];
      for (int i = 0; i < 6; ++i) before[i] = point.point.s[i];
      point.point.history.store(kViscousPressure, q);
      point.step(d, 1e-3);
      const double middle = point.point.volume_ratio / (1 + 0.5 * trace);
      for (int i = 0; i < 6; ++i) work += 0.5 * middle * (before[i] + point.point.s[i]) * d[i];
      work -= middle * trace * q;
    }
    EXPECT_NEAR(gained(point), work, 1e-12) << m.law;
    EXPECT_GT(work, 0.01);
    EXPECT_GT(point.point.plastic_strain, 0.05);
  }
}

TEST(ElasticPlasticHydro, HardensByPointsAndHasACutoff) {
  model::Material m = gruneisen(10, {{"PC", -0.5}, {"FS", 0.5}});
  for (const auto& [name, value] :
       {std::pair{"EPS2", 0.1}, {"EPS3", 0.4}, {"ES1", 0.3}, {"ES2", 0.5}, {"ES3", 0.6}})
    m.fields[name] = value;
  const Prepared law = prepare({}, m);
  const double root = std::sqrt(3.0), shear = 80;
  for (const auto& [p, s] : {std::pair{0.05, 0.4}, {0.25, 0.55}}) {
    Solid<double> point(law);
    const double gamma = root * p + s / (root * shear);
    point.steps(30, {0, 0, 0, gamma, 0, 0});
    EXPECT_NEAR(point.point.s[3], s / root, 1e-9);
    point.step({0, 0, 0, -s / (root * shear), 0, 0});
    EXPECT_NEAR(point.point.s[3], 0, 1e-9);
    point.step({0.02, 0.02, 0.02, 0, 0, 0});
    EXPECT_NEAR(pressure(point.point), -0.5, 1e-12);
    point.steps(100, {0, 0, 0, 2, 0, 0});
    EXPECT_TRUE(point.point.failed);
    EXPECT_EQ(point.point.s[3], 0);
  }
}

TEST(EquationOfState, Refuses) {
  for (const auto& [field, value] :
       {std::pair{"EOS.V0", 0.9}, {"EOS.C", 0.0}, {"G", 0.0}, {"SIGY", 0.0}, {"PC", 1.0}, {"EPS1", 0.1}})
    EXPECT_THROW(prepare({}, gruneisen(10, {{field, value}})), Error) << field;
  EXPECT_THROW(prepare({}, material(10, {{"G", 80.0}, {"SIGY", 0.3}})), Error);
  EXPECT_THROW(prepare({}, polynomial(10, {{"EOS.C1", -5.0}})), Error);
  EXPECT_THROW(prepare({}, tabulated(10, {{"EOS.EV3", 0.0}})), Error);
  EXPECT_THROW(prepare({}, fluid({{"MU", -1.0}})), Error);
}

}  // namespace
}  // namespace crumple::materials
