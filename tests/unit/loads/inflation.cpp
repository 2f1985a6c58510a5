// The gas of airbags against closed forms, and against the same equations integrated by another program.
#include "loads/airbag/inflation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model.hpp"

namespace crumple::test {
namespace {

using loads::GasState;
using loads::Inflation;
using loads::Orifice;

constexpr double kCv = 718, kCp = 1005, kR = kCp - kCv, kGamma = kCp / kCv;
constexpr double kAmbient = 1e5, kCold = 293;

Inflation air() {
  Inflation gas;
  gas.active = true;
  gas.heat = kCp;
  gas.gas_constant = kR;
  gas.ambient_pressure = kAmbient;
  gas.ambient_temperature = kCold;
  return gas;
}

LocalId add_curve(model::Model& model, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = GlobalId(model.curves.size()) + 1;
  c.x = std::move(x), c.y = std::move(y);
  model.curves.push_back(std::move(c));
  return LocalId(model.curves.size()) - 1;
}

/// Advances in `count` equal steps to `time` and `volume`.
void advance(const Inflation& gas, const model::Model& model, GasState& s, double time, double volume,
             int count) {
  const double from = s.time, first = s.volume;
  for (int k = 1; k <= count; ++k) {
    const double share = double(k) / count;
    advance_gas(gas, model, from + share * (time - from), first + share * (volume - first), s);
  }
}

// An almost empty vessel: T = c_p T_in / c_v. With the gas of the start, its energy is added.
TEST(Inflation, FillsAdiabatically) {
  model::Model model;
  Inflation gas = air();
  gas.ambient_pressure = 1;
  gas.inflow = add_curve(model, {0, 1}, {0.5, 0.5});
  gas.inflow_temperature = 600;
  GasState s = ambient_gas(gas, 0, 0.1);
  const double mass = s.mass;
  advance(gas, model, s, 1, 0.1, 100);
  EXPECT_NEAR(s.mass, mass + 0.5, 1e-12);
  EXPECT_NEAR(s.temperature, (mass * kCv * kCold + 0.5 * kCp * 600) / (kCv * (mass + 0.5)), 1e-8);
  EXPECT_NEAR(s.temperature, kGamma * 600, 2e-3 * 600);
  EXPECT_NEAR(s.pressure, s.mass * kR * s.temperature / 0.1, 1e-6);
}

TEST(Inflation, IsCompressedIsentropically) {
  const model::Model model;
  const Inflation gas = air();
  GasState s = ambient_gas(gas, 0, 2);
  EXPECT_DOUBLE_EQ(s.pressure, kAmbient);
  EXPECT_DOUBLE_EQ(s.mass, kAmbient * 2 / (kR * kCold));
  advance(gas, model, s, 0.3, 0.7, 10);
  EXPECT_NEAR(s.pressure, kAmbient * std::pow(2 / 0.7, kGamma), 1e-7 * kAmbient);
}

// Choked: C A p sqrt(g / (R T)) (2 / (g + 1))^((g + 1) / (2 (g - 1))). Else density times speed of the
// isentropic stream at the ambient pressure.
TEST(Inflation, FlowThroughAHole) {
  const Inflation gas = air();
  const double choked = std::sqrt(kGamma) * std::pow(2 / (kGamma + 1), (kGamma + 1) / (2 * (kGamma - 1)));
  EXPECT_NEAR(orifice_flux(gas, 5e5, 400), choked * 5e5 / std::sqrt(kR * 400), 1e-9 * 5e5);
  const double p = 1.2e5, t = 350, density = p / (kR * t);
  const double cold = t * std::pow(kAmbient / p, (kGamma - 1) / kGamma);
  const double speed = std::sqrt(2 * kCp * (t - cold));
  EXPECT_NEAR(orifice_flux(gas, p, t), density * std::pow(kAmbient / p, 1 / kGamma) * speed, 1e-9 * p);
  EXPECT_EQ(orifice_flux(gas, kAmbient, t), 0);
  EXPECT_EQ(orifice_flux(gas, 0.5 * kAmbient, t), 0);
}

// A rigid vessel that empties through a choked hole: T / T0 = (1 + (g - 1) / 2 k t)^-2 with k = C A G
// sqrt(R T0) / V, and p / p0 = (T / T0)^(g / (g - 1)).
TEST(Inflation, VesselEmptiesChoked) {
  const model::Model model;
  Inflation gas = air();
  GasState s = ambient_gas(gas, 0, 0.1);
  gas.ambient_pressure = 1e3;  // the vessel is at 1e5
  s.popped = 1;
  gas.orifices = {Orifice{.coefficient = 0.7, .area = 1e-3}};
  advance(gas, model, s, 0.5, 0.1, 500);
  const double choked = std::sqrt(kGamma) * std::pow(2 / (kGamma + 1), (kGamma + 1) / (2 * (kGamma - 1)));
  const double k = 0.7e-3 * choked * std::sqrt(kR * kCold) / 0.1;
  const double ratio = std::pow(1 + 0.5 * (kGamma - 1) * k * 0.5, -2);
  EXPECT_NEAR(s.temperature, kCold * ratio, 1e-7 * kCold);
  EXPECT_NEAR(s.pressure, kAmbient * std::pow(ratio, kGamma / (kGamma - 1)), 1e-7 * kAmbient);
  EXPECT_GT(s.outflow, 0);
}

// Inflow that rises and falls, a hole that is choked later, and a volume that grows by 0.06 per time. The
// numbers are of scipy, solve_ivp, DOP853, relative tolerance 1e-12. The steps are short, because the outflow
// begins as the root of the gauge pressure.
TEST(Inflation, AgreesWithAnotherIntegrator) {
  model::Model model;
  Inflation gas = air();
  gas.inflow = add_curve(model, {0, 0.02, 0.05, 0.1}, {0, 2, 1, 0});
  gas.inflow_temperature = 600;
  gas.orifices = {Orifice{.coefficient = 0.6, .area = 1.2e-3}};
  GasState s = ambient_gas(gas, 0, 0.03);
  const auto expect = [&](double time, int steps, double mass, double temperature, double pressure) {
    advance(gas, model, s, time, 0.03 * (1 + 2 * time), steps);
    EXPECT_NEAR(s.mass, mass, 1e-7 * mass) << time;
    EXPECT_NEAR(s.temperature, temperature, 1e-7 * temperature) << time;
    EXPECT_NEAR(s.pressure, pressure, 1e-7 * pressure) << time;
  };
  expect(0.02, 400, 0.05230730946246269, 480.63147493075405, 231260.73006810938);
  expect(0.05, 600, 0.0840134459530982, 610.6311401759206, 446165.210482809);
  expect(0.1, 1000, 0.0829495548090977, 582.5839310769594, 385258.2585040936);
}

// c_p = a + b T: enthalpy a T + b T^2 / 2 comes in and is internal energy, less R T, inside.
TEST(Inflation, HeatCapacityGrowsWithTemperature) {
  model::Model model;
  Inflation gas = air();
  gas.heat_slope = 0.2;
  gas.ambient_pressure = 1e-3;
  gas.inflow = add_curve(model, {0, 1}, {1, 1});
  gas.inflow_temperature = 600;
  GasState s = ambient_gas(gas, 0, 1);
  advance(gas, model, s, 1, 1, 50);
  const double u = kCp * 600 + 0.1 * 600 * 600, t = s.temperature;
  EXPECT_NEAR((kCp - kR) * t + 0.1 * t * t, u, 1e-5 * u);
}

TEST(Inflation, VentOpensAtThePopPressureAndStaysOpen) {
  const model::Model model;
  Inflation gas = air();
  gas.pop_pressure = 2e4;
  gas.orifices = {Orifice{.coefficient = 1, .area = 1e-3, .pops = true}};
  GasState s = ambient_gas(gas, 0, 1);
  advance(gas, model, s, 1, 0.9, 20);  // 1.16e5
  EXPECT_EQ(s.popped, 0);
  EXPECT_NEAR(s.pressure, kAmbient * std::pow(1 / 0.9, kGamma), 1e-6 * kAmbient);
  advance(gas, model, s, 1.01, 0.8, 20);
  EXPECT_EQ(s.popped, 1);
  const double mass = s.mass;
  advance(gas, model, s, 1.5, 0.8, 20);
  EXPECT_LT(s.pressure, 1.2e5);
  EXPECT_LT(s.mass, mass);
}

TEST(Inflation, CurvesOfCoefficientAreaAndOutflow) {
  model::Model model;
  Inflation gas = air();
  GasState s = ambient_gas(gas, 0, 1);
  s.energy *= 2;  // twice the pressure
  Orifice hole{.coefficient = 1, .area = 2};
  hole.coefficient_by_time = add_curve(model, {0, 1}, {0.1, 0.1});
  hole.area_by_pressure = add_curve(model, {1e5, 3e5}, {0, 2e-3});
  gas.orifices = {hole};
  GasState a = s;
  advance_gas(gas, model, 1e-9, 1, a);
  EXPECT_NEAR(a.outflow, 0.1 * 2 * 1e-3 * orifice_flux(gas, 2e5, 2 * kCold), 1e-6 * a.outflow);
  gas.orifices.clear();
  gas.outflow = add_curve(model, {0, 1e5, 2e5}, {0, 0.3, 0.4});
  GasState b = s;
  advance_gas(gas, model, 1e-9, 1, b);
  EXPECT_NEAR(b.outflow, 0.3, 1e-6);
}

// FVOPT = 7: dm/dt = -C A v m / V with constant speed v, so m = m0 exp(-C A v t / V) while there is pressure.
TEST(Inflation, GasLeavesFabricWithASpeedByPressure) {
  model::Model model;
  Inflation gas = air();
  Orifice fabric{.coefficient = 0.5, .area = 2};
  fabric.speed_by_pressure = add_curve(model, {0, 1e7}, {3, 3});
  gas.orifices = {fabric};
  GasState s = ambient_gas(gas, 0, 10);
  s.energy *= 4;
  s.pressure *= 4;
  const double mass = s.mass;
  advance(gas, model, s, 0.5, 10, 50);
  EXPECT_GT(s.pressure, kAmbient);
  EXPECT_NEAR(s.mass, mass * std::exp(-0.5 * 2 * 3 * 0.5 / 10), 1e-9 * mass);
  advance(gas, model, s, 50, 10, 50000);
  EXPECT_NEAR(s.pressure, kAmbient, 2e-3 * kAmbient);  // nothing flows back in
}

}  // namespace
}  // namespace crumple::test
