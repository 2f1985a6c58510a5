// Mixtures and joined bags against closed forms, and against the equations of a single gas.
#include "loads/airbag/gas_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model.hpp"

namespace crumple::test {
namespace {

using loads::Airbag;
using loads::BagLink;
using loads::BagSurface;
using loads::GasKind;
using loads::GasNetwork;
using loads::GasState;
using loads::Mixture;

constexpr double kHeatOfAir = 1005, kConstantOfAir = 287, kWarm = 293, kOutside = 1e5;
constexpr GasKind kAirKind{kConstantOfAir, kHeatOfAir, 0, 0};
constexpr GasKind kHelium{2077, 5193, 0, 0};

/// A bag of one gas, at ambient pressure and temperature at first.
Airbag bag_of(const GasKind& kind) {
  Airbag bag;
  bag.inflation.active = true;
  bag.inflation.ambient_pressure = kOutside;
  bag.inflation.ambient_temperature = kWarm;
  bag.inflation.gases = {{.kind = kind, .share = 1}};
  return bag;
}

LocalId curve_of(model::Model& model, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = GlobalId(model.curves.size()) + 1;
  c.x = std::move(x), c.y = std::move(y);
  model.curves.push_back(std::move(c));
  return LocalId(model.curves.size()) - 1;
}

/// All bags in one network, of constant volumes.
struct Vessels {
  model::Model model;
  std::vector<Airbag> inputs;
  std::vector<BagSurface> surfaces;
  std::vector<GasState> states;
  std::vector<GasNetwork> networks;

  void add(const Airbag& bag, double volume, double area = 1) {
    inputs.push_back(bag);
    surfaces.push_back({volume, area});
  }
  BagLink& join(double area, double coefficient = 0.7) {
    BagLink link;
    link.to = 1;
    link.hole.area = area, link.hole.coefficient = coefficient;
    inputs[0].links = {link};
    return inputs[0].links[0];
  }
  void run(double time, int count) {
    if (networks.empty()) {
      states.resize(inputs.size());
      networks = loads::networks_of(inputs);
      for (GasNetwork& n : networks) n.advance(model, 0, surfaces, states);
    }
    const double from = states[0].time;
    for (int k = 1; k <= count; ++k)
      for (GasNetwork& n : networks) n.advance(model, from + (time - from) * k / count, surfaces, states);
  }
  double mass() const { return states[0].mass + states[1].mass; }
  double energy() const { return states[0].energy + states[1].energy; }
};

/// Two vessels of air, the first at three times the pressure.
Vessels two_of_air() {
  Vessels v;
  v.add(bag_of(kAirKind), 1);
  v.add(bag_of(kAirKind), 2);
  v.inputs[0].inflation.first_overpressure = 2 * kOutside;
  return v;
}

TEST(Mixture, TemperatureFollowsFromTheEnergy) {
  Mixture m;
  m.add({287, 900, 0.3, -4e-5}, 0.7);
  m.add({189, 750, 0.5, -1e-4}, 0.3);
  for (const double t : {250.0, 600.0, 1400.0}) EXPECT_NEAR(m.temperature(m.energy(t)), t, 1e-10 * t);
  EXPECT_NEAR(m.constant, 0.7 * 287 + 0.3 * 189, 1e-12);
  const double h =
      0.7 * (900 * 600 + 0.15 * 36e4 - 4e-5 / 3 * 216e6) + 0.3 * (750 * 600 + 0.25 * 36e4 - 1e-4 / 3 * 216e6);
  EXPECT_NEAR(m.enthalpy(600), h, 1e-9 * h);
  Mixture straight;
  straight.add({287, 900, 0.3, 0}, 2);
  EXPECT_NEAR(straight.temperature(straight.energy(700)), 700, 1e-10);
  Mixture falls;  // c_v is zero at 613 K: no temperature has more energy than there
  falls.add({287, 900, -1, 0}, 1);
  EXPECT_TRUE(std::isnan(falls.temperature(2 * falls.energy(613))));
  EXPECT_NEAR(falls.temperature(falls.energy(400)), 400, 1e-9);
}

TEST(GasNetworks, OneGasAsTheEquationsOfASingleGas) {
  Vessels v;
  Airbag bag = bag_of(kAirKind);
  loads::Inflation& gas = bag.inflation;
  gas.gases.clear();
  gas.heat = kHeatOfAir, gas.gas_constant = kConstantOfAir, gas.heat_slope = 0.2;
  gas.inflow = curve_of(v.model, {0, 0.02, 0.05, 0.1}, {0, 2, 1, 0});
  gas.inflow_temperature = 600;
  gas.pop_pressure = 2e4;
  gas.orifices = {{.coefficient = 0.6, .area = 1.2e-3, .pops = true}};
  const loads::Inflation alone = gas;
  gas.make_mixture();
  v.add(bag, 0.03);
  GasState expected = loads::ambient_gas(alone, 0, 0.03);
  v.run(0, 0);
  for (int k = 1; k <= 200; ++k) {
    const double time = 5e-4 * k;
    v.surfaces[0].volume = 0.03 * (1 + 2 * time);
    v.run(time, 1);
    loads::advance_gas(alone, v.model, time, v.surfaces[0].volume, expected);
  }
  EXPECT_EQ(expected.popped, 1);
  EXPECT_GT(expected.outflow, 0);
  const GasState& s = v.states[0];
  EXPECT_NEAR(s.mass, expected.mass, 1e-11 * expected.mass);
  EXPECT_NEAR(s.energy, expected.energy, 1e-11 * expected.energy);
  EXPECT_NEAR(s.pressure, expected.pressure, 1e-11 * expected.pressure);
  EXPECT_NEAR(s.outflow, expected.outflow, 1e-9 * expected.outflow);
  EXPECT_EQ(s.popped, 1);
}

// U = p V / (g - 1) in both, so p is the mean of the pressures by volume. What stays in the first has
// expanded isentropically.
TEST(GasNetworks, VesselsComeToOnePressure) {
  Vessels v = two_of_air();
  v.join(1e-2);
  v.run(0, 0);
  const double mass = v.mass(), energy = v.energy();
  v.run(1, 2000);
  const double p = (3 * kOutside * 1 + kOutside * 2) / 3;
  EXPECT_NEAR(v.states[0].pressure, p, 1e-5 * p);
  EXPECT_NEAR(v.states[1].pressure, p, 1e-5 * p);
  EXPECT_NEAR(v.mass(), mass, 1e-12 * mass);
  EXPECT_NEAR(v.energy(), energy, 1e-12 * energy);
  const double g = kHeatOfAir / (kHeatOfAir - kConstantOfAir);
  EXPECT_NEAR(v.states[0].temperature, kWarm * std::pow(p / (3 * kOutside), (g - 1) / g), 2e-5 * kWarm);
  EXPECT_GT(v.states[1].temperature, kWarm);
}

TEST(GasNetworks, HolesMayLetGasThroughOneWayOnly) {
  for (const auto& [way, flows] :
       {std::pair{BagLink::Way::forward, true}, std::pair{BagLink::Way::backward, false}}) {
    Vessels v = two_of_air();
    v.join(1e-2).way = way;
    v.run(0.01, 20);
    EXPECT_EQ(v.states[0].pressure < 2.99 * kOutside, flows);
    EXPECT_EQ(v.states[0].outflow > 0, flows);
    EXPECT_EQ(v.states[1].inflow > 0, flows);
    EXPECT_EQ(v.states[1].outflow, 0);
  }
}

// The areas and coefficients of a hole: choked, C A p sqrt(g / (R T)) (2 / (g + 1))^((g + 1) / (2 (g - 1))).
TEST(GasNetworks, CurvesOfAHoleAreOfTimeAndTheHigherPressure) {
  Vessels v = two_of_air();
  BagLink& link = v.join(2e-3);
  link.hole.coefficient_by_time = curve_of(v.model, {0, 1}, {0.5, 0.5});
  link.hole.area_by_pressure = curve_of(v.model, {kOutside, 3 * kOutside}, {0, 4});
  v.run(1e-9, 1);
  const double g = kHeatOfAir / (kHeatOfAir - kConstantOfAir);
  const double choked =
      std::sqrt(g / (kConstantOfAir * kWarm)) * std::pow(2 / (g + 1), (g + 1) / (2 * (g - 1)));
  EXPECT_NEAR(v.states[0].outflow, 0.5 * 2e-3 * 4 * 3 * kOutside * choked, 1e-4 * v.states[0].outflow);
}

TEST(GasNetworks, FlowByACurveOfTheDifference) {
  Vessels v = two_of_air();
  v.join(0).flow_by_difference = curve_of(v.model, {0, 2 * kOutside}, {0, 0.4});
  v.run(1e-9, 1);
  EXPECT_NEAR(v.states[0].outflow, 0.4, 1e-6);
  v = two_of_air();
  v.inputs[0].inflation.first_overpressure = 0, v.inputs[1].inflation.first_overpressure = kOutside;
  v.join(0).flow_by_difference = curve_of(v.model, {0, 2 * kOutside}, {0, 0.4});
  v.run(1e-9, 1);
  EXPECT_NEAR(v.states[1].outflow, 0.2, 1e-6);
  EXPECT_NEAR(v.states[0].inflow, 0.2, 1e-6);
}

TEST(GasNetworks, GasesMixAndKeepTheirMasses) {
  Vessels v;
  v.add(bag_of(kHelium), 1);
  v.add(bag_of(kAirKind), 1);
  v.inputs[0].inflation.first_overpressure = kOutside;
  v.join(1e-2);
  v.run(0, 0);
  const double helium = v.states[0].mass, air = v.states[1].mass, energy = v.energy();
  EXPECT_NEAR(helium, 2 * kOutside / (2077 * kWarm), 1e-12);
  v.run(0.5, 1000);
  ASSERT_EQ(v.networks[0].kinds(), 2u);
  EXPECT_NEAR(v.networks[0].mass(0, 0) + v.networks[0].mass(1, 0), helium, 1e-12 * helium);
  EXPECT_NEAR(v.networks[0].mass(0, 1) + v.networks[0].mass(1, 1), air, 1e-12 * air);
  EXPECT_GT(v.networks[0].mass(1, 0), 0.1 * helium);
  EXPECT_LT(v.networks[0].mass(0, 1), 1e-6 * air);  // none came back
  EXPECT_NEAR(v.energy(), energy, 1e-12 * energy);
  EXPECT_NEAR(v.states[0].pressure, v.states[1].pressure, 1e-4 * kOutside);
}

// m c_v dT/dt = -H A (T - T_e).
TEST(GasNetworks, HeatGoesToTheSurroundings) {
  Vessels v;
  Airbag bag = bag_of(kAirKind);
  bag.inflation.first_temperature = 600;
  bag.inflation.heat_convection = 40;
  v.add(bag, 0.1, 1.3);
  v.run(0, 0);
  const double rate = 40 * 1.3 / (v.states[0].mass * (kHeatOfAir - kConstantOfAir));
  v.run(2, 200);
  EXPECT_NEAR(v.states[0].temperature, kWarm + (600 - kWarm) * std::exp(-2 * rate), 1e-6 * kWarm);
}

// A vessel of little gas: enthalpies come in, U = sum of m_i u_i(T) inside.
TEST(GasNetworks, MixturesComeInByMass) {
  Vessels v;
  Airbag bag = bag_of(kAirKind);
  loads::Inflation& gas = bag.inflation;
  gas.ambient_pressure = 1e-3;
  gas.gases = {{.kind = {297, 1000, 0.1, -1e-5}, .share = 1}, {.kind = {189, 800, 0.2, 0}}};
  gas.gases[0].inflow = curve_of(v.model, {0, 1}, {0.3, 0.3});
  gas.gases[0].temperature_curve = curve_of(v.model, {0, 1}, {700, 700});
  gas.gases[1].inflow = curve_of(v.model, {0, 1}, {0.1, 0.1});
  gas.gases[1].temperature_curve = curve_of(v.model, {0, 1}, {500, 500});
  v.add(bag, 1);
  v.run(1, 100);
  EXPECT_NEAR(v.states[0].mass, 0.4, 1e-7);
  const double u =
      0.3 * loads::enthalpy_of(gas.gases[0].kind, 700) + 0.1 * loads::enthalpy_of(gas.gases[1].kind, 500);
  EXPECT_NEAR(v.states[0].energy, u, 1e-6 * u);
  const double t = v.states[0].temperature;
  EXPECT_NEAR(0.3 * (703 * t + 0.05 * t * t - 1e-5 / 3 * t * t * t) + 0.1 * (611 * t + 0.1 * t * t), u,
              1e-6 * u);
  EXPECT_NEAR(v.states[0].pressure, (0.3 * 297 + 0.1 * 189) * t, 1e-5 * v.states[0].pressure);
}

// One flow for all: by moles, so by mass as x / R.
TEST(GasNetworks, MixturesComeInByMoles) {
  Vessels v;
  Airbag bag = bag_of(kAirKind);
  loads::Inflation& gas = bag.inflation;
  gas.gases = {{.kind = kAirKind, .share = 1}, {.kind = kHelium}};
  gas.total_inflow = curve_of(v.model, {0, 1}, {0.5, 0.5});
  const LocalId warm = curve_of(v.model, {0, 1}, {kWarm, kWarm});
  for (loads::MixedGas& g : gas.gases) g.temperature_curve = warm;
  gas.gases[0].inflow = curve_of(v.model, {0, 1}, {0.25, 0.25});
  gas.gases[1].inflow = curve_of(v.model, {0, 1}, {0.75, 0.75});
  v.add(bag, 1);
  v.run(0, 0);
  const double air = v.states[0].mass;
  v.run(1, 100);
  const double moles_of_air = 0.25 / kConstantOfAir, moles_of_helium = 0.75 / 2077;
  const double share = moles_of_air / (moles_of_air + moles_of_helium);
  EXPECT_NEAR(v.networks[0].mass(0, 0), air + 0.5 * share, 1e-10);
  EXPECT_NEAR(v.networks[0].mass(0, 1), 0.5 * (1 - share), 1e-10);
}

TEST(GasNetworks, AreTheBagsThatAreJoined) {
  std::vector<Airbag> inputs(5, bag_of(kAirKind));
  inputs[1].inflation.gases.clear();
  inputs[0].links = {{.to = 3}};
  inputs[4].links = {{.to = 3}};
  const std::vector<GasNetwork> networks = loads::networks_of(inputs);
  ASSERT_EQ(networks.size(), 2u);
  EXPECT_EQ(networks[0].bags(), (std::vector<std::size_t>{0, 3, 4}));
  EXPECT_EQ(networks[1].bags(), (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace crumple::test
