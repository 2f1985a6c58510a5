// Discrete beams: forces in each freedom, rigid rotation, frequencies, unloading, failure, cables.
#include <gtest/gtest.h>

#include <memory>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/beam/discrete_layout.hpp"
#include "materials/discrete_beam/law.hpp"

namespace crumple::test {
namespace {

using elements::beam::kResultants;
using model::ElementKind;
using Fields = std::map<std::string, double>;

constexpr double kPi = 3.14159265358979323846;

model::Curve curve(GlobalId id, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = id;
  c.x = std::move(x);
  c.y = std::move(y);
  return c;
}

/// One discrete beam from the origin to `end`; its mass is the volume 2 times the density 3, its inertia 4.
struct OneBeam {
  model::DiscreteBeamSection section{.volume = 2, .inertia = 4};
  std::vector<model::Curve> curves;
  Vec3 end;
  std::unique_ptr<Driver<double>> driver;

  Driver<double>& start(int law, const Fields& fields) {
    model::Material m;
    m.id = 1;
    m.law = law;
    m.name = "MAT_TEST";
    m.density = 3;
    m.fields = fields;
    driver = std::make_unique<Driver<double>>(ElementKind::beam, 6, m, 1e12, curves);
    driver->set_section(section);
    driver->add_node({});
    driver->add_node(end);
    driver->add_element({0, 1});
    driver->start();
    return *driver;
  }
  double resultant(int k) const { return driver->variable(0, kResultants + k); }
};

const Fields kLinear{{"TKR", 10}, {"TKS", 20}, {"TKT", 30}, {"RKR", 40}, {"RKS", 50}, {"RKT", 60},
                     {"TDR", 1},  {"TDS", 2},  {"TDT", 3},  {"RDR", 4},  {"RDS", 5},  {"RDT", 6},
                     {"FOR", 7},  {"FOS", 8},  {"FOT", 9},  {"MOR", 1},  {"MOS", 2},  {"MOT", 3}};

/// A frame with r, s, t along y, z, x, of a beam between nodes at one place.
TEST(DiscreteBeam, HasTheStiffnessDampingAndPreloadOfEachFreedom) {
  const double stiffness[6] = {10, 20, 30, 40, 50, 60}, damping[6] = {1, 2, 3, 4, 5, 6};
  const double preload[6] = {7, 8, 9, 1, 2, 3};
  constexpr int resultant[6] = {0, 1, 2, 5, 3, 4}, axis[3] = {1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    OneBeam beam;
    beam.section.has_axes = true;
    beam.section.axes = {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}};
    Driver<double>& d = beam.start(66, kLinear);
    Vec3& moves = k < 3 ? d.nodes.v[1] : d.nodes.w[1];
    moves[axis[k % 3]] = 0.002;
    d.move(0.1);
    const double force = preload[k] + stiffness[k] * 0.0002 + damping[k] * 0.002;
    EXPECT_NEAR(beam.resultant(resultant[k]), force, 1e-8) << k;
    const Vec3 on_first = k < 3 ? d.nodes.force_at(0) : d.nodes.moment_at(0);
    const Vec3 on_second = k < 3 ? d.nodes.force_at(1) : d.nodes.moment_at(1);
    EXPECT_NEAR(on_first[axis[k % 3]], force, 1e-7) << k;  // pulled towards node 2
    EXPECT_NEAR(on_second[axis[k % 3]], -force, 1e-7) << k;
  }
}

TEST(DiscreteBeam, GivesNoForceInRigidRotations) {
  for (const int scoor : {0, 1, -1, 2, -2, 3, -3, 12, -12, 13, -13}) {
    OneBeam beam;
    beam.section.scoor = scoor;
    beam.end = {0.3, 2, 1};
    Driver<double>& d = beam.start(66, {{"TKR", 10}, {"TKS", 20}, {"TKT", 30}, {"RKR", 40}, {"RKS", 50}});
    turn_rigidly(d, Vec3{2.0 / 3, 1.0 / 3, 2.0 / 3}, 0.7, 100, 1e-3);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(beam.resultant(k), 0, 1e-10) << scoor << ' ' << k;
  }
}

/// The frame turns with both nodes, so a stretched spring pulls along its turned axis.
TEST(DiscreteBeam, TurnsItsForcesWithItsNodes) {
  OneBeam beam;
  Driver<double>& d = beam.start(66, {{"TKR", 10}, {"TKS", 20}, {"TKT", 30}});
  d.nodes.v[1] = {0.5, 0, 0};
  d.move(1);
  turn_rigidly(d, Vec3{0, 0, 1}, 0.25, 50, 1e-2);
  EXPECT_NEAR(d.nodes.force_at(1).x, 0, 1e-9);
  EXPECT_NEAR(d.nodes.force_at(1).y, -5, 1e-9);
  EXPECT_NEAR(beam.resultant(0), 5, 1e-9);
}

TEST(DiscreteBeam, VibratesAtTheFrequencyOfTwoMasses) {
  OneBeam beam;
  Driver<double>& d = beam.start(66, {{"TKR", 30}, {"RKT", 50}});
  // Masses 3 and 3 at the ends, inertias 2 and 2.
  const double omega = std::sqrt(30 * (1 / 3.0 + 1 / 3.0)), turning = std::sqrt(50 * (1 / 2.0 + 1 / 2.0));
  EXPECT_NEAR(d.smallest_step(), 2 / std::max(omega, turning), 1e-12);
  d.nodes.v[0] = {-1, 0, 0};
  d.nodes.v[1] = {1, 0, 0};
  d.nodes.w[0] = {0, 0, -1e-3};
  d.nodes.w[1] = {0, 0, 1e-3};
  const int steps = 2000;
  const double dt = 0.5 * kPi / omega / steps;  // a quarter of the period
  for (int n = 0; n < steps; ++n) d.step(dt);
  EXPECT_NEAR(beam.resultant(0), 30 * 2 / omega, 1e-3);
  const double t = 0.5 * kPi / omega;
  EXPECT_NEAR(beam.resultant(4), 50 * 2e-3 / turning * std::sin(turning * t), 1e-5);
}

TEST(DiscreteBeam, BalancesShearForcesByMoments) {
  for (const int scoor : {-3, 3, 2, -2}) {
    OneBeam beam;
    beam.section.scoor = scoor;
    beam.end = {2, 0, 0};
    Driver<double>& d = beam.start(66, {{"TKR", 10}, {"TKS", 20}, {"TKT", 30}});
    d.nodes.v[1] = {0, 0.01, 0.02};
    d.move(1);
    const Vec3 along = d.nodes.x[1] - d.nodes.x[0];
    const Vec3 all = d.nodes.moment_at(0) + d.nodes.moment_at(1) + cross(along, d.nodes.force_at(1));
    EXPECT_LT(norm(all), 1e-9) << scoor;
    EXPECT_NEAR(d.nodes.moment_at(0).z, d.nodes.moment_at(1).z, 1e-10);
    EXPECT_NEAR(beam.resultant(1), 20 * 0.01, 1e-4) << scoor;
    EXPECT_NEAR(beam.resultant(2), 30 * 0.02, 1e-4) << scoor;
    EXPECT_NEAR(d.nodes.moment_at(0).z, 0.2, 1e-3);  // half of 20 * 0.01 * 2
  }
  OneBeam beam;
  beam.end = {2, 0, 0};
  Driver<double>& d = beam.start(66, {{"TKS", 20}});
  d.nodes.v[1] = {0, 0.01, 0};
  d.move(1);
  EXPECT_NEAR(d.nodes.force_at(1).y, -0.2, 1e-9);
  EXPECT_EQ(norm(d.nodes.moment_at(0)), 0.0);
}

/// A free beam of two bodies that shears, stretches and turns keeps its energy and momenta.
TEST(DiscreteBeam, KeepsEnergyAndAngularMomentum) {
  OneBeam beam;
  beam.section.scoor = 3;
  beam.end = {2, 0, 0};
  Driver<double>& d =
      beam.start(66, {{"TKR", 100}, {"TKS", 80}, {"TKT", 90}, {"RKR", 40}, {"RKS", 50}, {"RKT", 60}});
  d.nodes.v[0] = {-0.1, -0.3, 0.2};
  d.nodes.v[1] = {0.1, 0.3, -0.1};
  d.nodes.w[0] = {0.2, 0.1, 0};
  const double dt = 0.01 * d.smallest_step();
  const auto momentum = [&] {
    Vec3 sum;
    for (std::size_t i = 0; i < 2; ++i)
      sum += d.nodes.mass[i] * cross(d.nodes.x[i] - 0.5 * dt * d.nodes.v[i], d.nodes.v[i]) +
             d.nodes.inertia[i] * d.nodes.w[i];
    return sum;
  };
  const Vec3 before = momentum();
  const double energy = d.kinetic_energy();
  for (int n = 0; n < 20000; ++n) d.step(dt);
  EXPECT_NEAR(d.kinetic_energy() + d.total_energy(0), energy, 0.005 * energy);
  EXPECT_LT(norm(momentum() - before), 1e-3 * norm(before));
}

/// Of a damper the step is that of c C dt / 2 = 1, of both (discrete/spring.hpp) the smaller one.
TEST(DiscreteBeam, HasAStableStepOfDampersAndArms) {
  OneBeam damper;
  EXPECT_NEAR(damper.start(66, {{"TDR", 5}}).smallest_step(), 2 / (5 * 4 / 6.0), 1e-12);
  OneBeam arm;
  arm.section.scoor = 3;
  arm.end = {2, 0, 0};
  const double expected = 2 / std::sqrt(20 * (4 / 6.0 + 4 / 4.0) + 60 * 4 / 4.0);
  EXPECT_NEAR(arm.start(66, {{"TKS", 20}, {"RKT", 60}}).smallest_step(), expected, 1e-12);
}

TEST(DiscreteBeam, UnloadsBetweenBothCurves) {
  OneBeam beam;
  beam.curves = {curve(1, {-1, 0, 1}, {-10, 0, 10}), curve(2, {-1, 0, 0.5, 1}, {-6, 0, 1, 6})};
  Driver<double>& d = beam.start(119, {{"IUNLD", 2}, {"KT", 100}, {"LCIDTR", 1}, {"LCIDTUR", 2}});
  const auto to = [&](double x) {
    const int n = 1000;
    d.nodes.v[1] = {(x - d.nodes.x[1].x) / n, 0, 0};
    for (int k = 0; k < n; ++k) d.move(1);
    return beam.resultant(0);
  };
  EXPECT_NEAR(to(0.8), 8, 1e-9);
  EXPECT_NEAR(to(0.78), 6, 1e-9);  // 100 * 0.02
  EXPECT_NEAR(to(0.6), 2, 1e-9);   // on the unloading curve
  EXPECT_NEAR(to(0.61), 3, 1e-9);  // up with KT
  EXPECT_NEAR(to(0.9), 9, 1e-9);   // on the loading curve
  EXPECT_NEAR(to(0.5), 1, 1e-9);
  EXPECT_NEAR(to(0), 0, 1e-9);
  EXPECT_NEAR(to(-0.5), -5, 1e-9);
  EXPECT_NEAR(to(-0.49), -4, 1e-9);
  EXPECT_GT(d.total_energy(0), 0);
}

TEST(DiscreteBeam, OfMaterial119FollowsItsCurveAndStartsDisplaced) {
  OneBeam beam;
  beam.curves = {curve(1, {-1, 0, 1}, {-10, 0, 30}), curve(3, {-1, 1}, {-4, 4}), curve(4, {0, 1}, {1, 3})};
  Driver<double>& d = beam.start(119, {{"LCIDTS", 1}, {"LCIDTDS", 3}, {"LCIDTES", 4}, {"IUS", 0.5}});
  EXPECT_NEAR(beam.resultant(1), 15, 1e-12);
  d.nodes.v[1] = {0, 0.1, 0};
  d.move(1);  // d = 0.6: 18 + (1 + 2 * 0.6) * 0.4
  EXPECT_NEAR(beam.resultant(1), 18 + 2.2 * 0.4, 1e-9);
}

TEST(DiscreteBeam, YieldsAndHardens) {
  OneBeam beam;
  beam.curves = {curve(1, {0, 1}, {2, 12})};
  Driver<double>& d = beam.start(68, {{"TKR", 40}, {"LCPDR", 1}});
  const auto to = [&](double x) {
    d.nodes.v[1] = {x - d.nodes.x[1].x, 0, 0};
    d.move(1);
    return beam.resultant(0);
  };
  EXPECT_NEAR(to(0.04), 1.6, 1e-9);
  // 40 (d - p) = 2 + 10 p: p = (40 d - 2) / 50
  const double p = (40 * 0.3 - 2) / 50;
  EXPECT_NEAR(to(0.3), 2 + 10 * p, 1e-9);
  EXPECT_NEAR(to(0.25), 2 + 10 * p - 40 * 0.05, 1e-9);
  // In compression the yield force has grown as well: 40 (p - q - d) = 2 + 10 (p + q)
  const double q = (40 * (p + 0.2) - 2 - 10 * p) / 50;
  EXPECT_NEAR(to(-0.2), -(2 + 10 * (p + q)), 1e-9);
}

TEST(DiscreteBeam, FailsAtItsLimits) {
  OneBeam forces;
  forces.curves = {curve(1, {0, 1}, {0, 10})};
  Driver<double>& f =
      forces.start(67, {{"LCIDTR", 1}, {"LCIDTS", 1}, {"FFAILR", 5}, {"FFAILS", 5}, {"UFAILT", 1}});
  f.nodes.v[1] = {0.35, -0.35, 0};  // 3.5^2 + 3.5^2 < 25
  f.move(1);
  EXPECT_EQ(f.alive[0], 1);
  EXPECT_NEAR(forces.resultant(1), -3.5, 1e-9);
  f.nodes.v[1] = {0.01, 0, 0};  // 3.6^2 + 3.5^2 > 25
  f.move(1);
  EXPECT_EQ(f.alive[0], 0);
  EXPECT_EQ(norm(f.nodes.force_at(1)), 0.0);

  OneBeam apart;
  apart.curves = forces.curves;
  Driver<double>& a = apart.start(119, {{"LCIDTR", 1}, {"LCIDTS", 1}, {"UTFAILR", 0.5}, {"UCFAILS", 0.5}});
  a.nodes.v[1] = {0.45, -0.45, 0};
  a.move(1);
  EXPECT_EQ(a.alive[0], 1);
  a.nodes.v[1] = {0, -0.06, 0};
  a.move(1);
  EXPECT_EQ(a.alive[0], 0);

  OneBeam together;
  together.curves = forces.curves;
  Driver<double>& b =
      together.start(119, {{"LCIDTR", 1}, {"LCIDTS", 1}, {"UTFAILR", 0.5}, {"UCFAILS", 0.5}, {"FCRIT", 1}});
  b.nodes.v[1] = {0.45, -0.45, 0};
  b.move(1);
  EXPECT_EQ(b.alive[0], 0);
}

TEST(DiscreteBeam, OfMaterial196HasASpringInEachFreedomGiven) {
  for (const int method : {0, 1, 2}) {
    OneBeam beam;
    beam.curves = {curve(1, {0, 1}, {2, 2})};
    Driver<double>& d = beam.start(196, {{"DOF1", 3},
                                         {"TYPE1", 1},
                                         {"K1", 50},
                                         {"FLCID1", 1},
                                         {"TDF1", 1},
                                         {"DOF2", 2},
                                         {"K2", 20},
                                         {"D2", 5},
                                         {"CDF2", 1},
                                         {"MDFAIL", double(method)}});
    d.nodes.v[1] = {0.3, -0.8, 0.8};
    d.move(1);
    if (method == 2) {
      EXPECT_EQ(d.alive[0], 0);
      continue;
    }
    EXPECT_EQ(d.alive[0], 1);
    EXPECT_NEAR(beam.resultant(2), 2, 1e-9);
    EXPECT_NEAR(beam.resultant(1), -20 * 0.8 - 5 * 0.8, 1e-9);
    EXPECT_EQ(beam.resultant(0), 0);
    d.nodes.v[1] = {0, -0.21, 0};
    d.move(1);
    EXPECT_EQ(d.alive[0], 0);
  }
}

TEST(DiscreteBeam, SpringActsAlongTheLineBetweenItsNodes) {
  OneBeam beam;
  beam.section.inertia = 0;
  beam.end = {3, 4, 0};
  Driver<double>& d = beam.start(74, {{"K", 10}, {"F0", 2}, {"D", 1}});
  EXPECT_NEAR(d.smallest_step(), 4 / (4 / 6.0 + std::sqrt(16 / 36.0 + 4 * 10 * 4 / 6.0)), 1e-12);
  d.nodes.v[1] = {0.3, 0.4, 0};
  d.move(1);
  EXPECT_NEAR(beam.resultant(0), 2 + 10 * 0.5 + 0.5, 1e-9);
  EXPECT_NEAR(d.nodes.force_at(1).x, -7.5 * 0.6, 1e-8);
  EXPECT_NEAR(d.nodes.force_at(0).y, 7.5 * 0.8, 1e-8);
  EXPECT_EQ(norm(d.nodes.moment_at(1)), 0.0);
}

/// F = K f(d) (1 + C1 v + C2 ln(v / DLE)) + g(d) h(v), h odd.
TEST(DiscreteBeam, SpringHasTheRateFactorOfItsCurve) {
  OneBeam beam;
  beam.end = {1, 0, 0};
  beam.curves = {curve(1, {0, 1}, {0, 10}), curve(2, {0, 1}, {0, 8}), curve(3, {-1, 1}, {2, 4})};
  Driver<double>& d = beam.start(
      74, {{"K", 3}, {"FLCID", 1}, {"HLCID", 2}, {"GLCID", 3}, {"C1", 0.5}, {"C2", 0.25}, {"DLE", 0.1}});
  d.nodes.v[1] = {-0.5, 0, 0};
  d.move(1);
  const double rate = 1 - 0.5 * 0.5 - 0.25 * std::log(5.0);
  EXPECT_NEAR(beam.resultant(0), -3 * 5 * rate - 2.5 * 4, 1e-9);
}

TEST(DiscreteBeam, InelasticSpringUnloadsWithItsStiffness) {
  OneBeam beam;
  beam.end = {1, 0, 0};
  beam.curves = {curve(1, {-1, -1e-9, 1e-9, 1}, {-3, -3, 5, 5})};
  Driver<double>& d = beam.start(94, {{"K", 50}, {"FLCID", 1}, {"TDF", 0.4}});
  d.nodes.v[1] = {0.3, 0, 0};
  d.move(1);
  EXPECT_NEAR(beam.resultant(0), 5, 1e-6);
  d.nodes.v[1] = {-0.05, 0, 0};
  d.move(1);
  EXPECT_NEAR(beam.resultant(0), 2.5, 1e-6);
  d.nodes.v[1] = {-0.3, 0, 0};
  d.move(1);
  EXPECT_NEAR(beam.resultant(0), -3, 1e-6);
  d.nodes.v[1] = {0.5, 0, 0};
  d.move(1);
  EXPECT_EQ(d.alive[0], 0);
}

/// F = SCLF {KH (V / a)^2 + [P0 (C0 / (C0 - S))^N - PA] AP} pushes the ends apart.
TEST(DiscreteBeam, GasDamperPushesAndItsOilResists) {
  OneBeam beam;
  beam.end = {2, 0, 0};
  beam.curves = {curve(1, {0, 0.1, 0.4}, {0.2, 0.2, 0.05})};
  Driver<double>& d = beam.start(70, {{"C0", 0.5},
                                      {"N", 1.4},
                                      {"P0", 3},
                                      {"PA", 1},
                                      {"AP", 0.25},
                                      {"KH", 0.02},
                                      {"LCID", 1},
                                      {"FR", 0.3},
                                      {"SCLF", 2}});
  const auto gas = [](double s) { return 2 * (3 * std::pow(0.5 / (0.5 - s), 1.4) - 1) * 0.25; };
  d.nodes.v[1] = {-0.25, 0, 0};
  d.move(1);  // S = 0.25, the orifice is 0.125
  EXPECT_NEAR(beam.resultant(0), -gas(0.25) - 2 * 0.02 * 4, 1e-9);
  EXPECT_NEAR(d.nodes.force_at(1).x, gas(0.25) + 0.16, 1e-8);
  const double stiffness =
      2 * 1.4 * 3 * 0.25 / 0.25 * std::pow(2.0, 1.4) + 2 * 2 * 0.02 * 0.0625 * 0.5 / std::pow(0.125, 3);
  const double damping = 2 * 2 * 0.02 * 0.25 / (0.125 * 0.125), c = 4 / 6.0;
  EXPECT_NEAR(d.smallest_step(), 4 / (damping * c + std::sqrt(damping * c * damping * c + 4 * stiffness * c)),
              1e-9);
  d.nodes.v[1] = {0.15, 0, 0};
  d.move(1);  // back to S = 0.1, orifice 0.2
  EXPECT_NEAR(beam.resultant(0), -gas(0.1) + 2 * 0.3 * 0.02 * 0.5625, 1e-9);
  d.nodes.v[1] = {-0.9, 0, 0};
  d.move(1);  // the gas keeps a thousandth of its length
  EXPECT_LT(beam.resultant(0), -2 * 0.25 * 3 * std::pow(999.0, 1.4));
  EXPECT_GT(beam.resultant(0), -2 * 0.25 * 3 * std::pow(1001.0, 1.4) - 2 * 0.02 * 400);
}

TEST(DiscreteBeam, GasDamperRefusesByName) {
  const Fields good{{"C0", 0.5}, {"N", 1.4}, {"SCLF", 1}, {"LCID", 1}};
  const auto with = [&](const char* field, double value, std::vector<double> areas) {
    OneBeam beam;
    beam.end = {2, 0, 0};
    beam.curves = {curve(1, {0, 1}, std::move(areas))};
    Fields fields = good;
    fields[field] = value;
    beam.start(70, fields);
  };
  EXPECT_NO_THROW(with("FR", 1, {1, 1}));
  EXPECT_THROW(with("CLEAR", 0.1, {1, 1}), Error);
  EXPECT_THROW(with("LCID", 0, {1, 1}), Error);
  EXPECT_THROW(with("FR", 1, {1, 0}), Error);
  EXPECT_THROW(with("C0", 0, {1, 1}), Error);
}

TEST(Cable, PullsAndIsSlack) {
  OneBeam cable;
  cable.section = {.volume = 0, .cable_area = 0.5, .offset = 0.2};
  cable.end = {2.2, 0, 0};
  Driver<double>& d = cable.start(71, {{"E", 80}});
  EXPECT_NEAR(d.total_mass(), 3 * 0.5 * 2.2, 1e-12);
  EXPECT_NEAR(cable.resultant(0), 80 * 0.5 / 2.0 * 0.2, 1e-12);
  d.nodes.v[1] = {0.1, 0, 0};
  d.move(1);
  EXPECT_NEAR(cable.resultant(0), 20 * 0.3, 1e-9);
  d.nodes.v[1] = {-0.5, 0, 0};
  d.move(1);
  EXPECT_EQ(cable.resultant(0), 0);
  EXPECT_EQ(norm(d.nodes.force_at(1)), 0.0);
}

TEST(Cable, AddsItsInitialForceAndFollowsItsCurve) {
  OneBeam stiff;
  stiff.section = {.volume = 1};
  stiff.end = {2, 0, 0};
  Driver<double>& s = stiff.start(71, {{"E", -30}, {"F0", 5}, {"MXFRC", 12}});
  s.nodes.v[1] = {0.2, 0, 0};
  s.move(1);
  EXPECT_NEAR(stiff.resultant(0), 5 + 30 * 0.2, 1e-9);
  s.nodes.v[1] = {0.1, 0, 0};
  s.move(1);
  EXPECT_EQ(s.alive[0], 0);

  OneBeam curved;
  curved.section = {.volume = 1, .cable_area = 0.5};
  curved.end = {2, 0, 0};
  curved.curves = {curve(1, {0, 0.1, 0.2}, {0, 4, 20})};
  Driver<double>& c = curved.start(71, {{"LCID", 1}, {"MXEPS", 0.25}});
  c.nodes.v[1] = {0.3, 0, 0};
  c.move(1);
  EXPECT_NEAR(curved.resultant(0), 0.5 * 12, 1e-9);
  c.nodes.v[1] = {0.21, 0, 0};
  c.move(1);
  EXPECT_EQ(c.alive[0], 0);
}

/// While it is tightened the force is F0 whatever the length; then the length without force stays.
TEST(Cable, KeepsItsPreloadUntilTheTimeGiven) {
  OneBeam cable;
  cable.section = {.volume = 1};
  cable.end = {2, 0, 0};
  Driver<double>& d = cable.start(71, {{"E", -30}, {"F0", 6}, {"TSTART", 1}, {"TRAMP", 2}, {"TMAXF0", 3.5}});
  d.nodes.v[1] = {-0.1, 0, 0};
  const double expected[5] = {0, 3, 6, 6 - 30 * 0.1, 6 - 30 * 0.2};
  for (const double force : expected) {
    d.move(1);
    EXPECT_NEAR(cable.resultant(0), force, 1e-9) << d.time;
  }
}

TEST(DiscreteBeam, NeedsMassInertiaAndALawOfItsOwn) {
  const auto error = [](OneBeam beam, int law, const Fields& fields) -> std::string {
    try {
      beam.start(law, fields);
    } catch (const Error& e) {
      return e.id();
    }
    return "";
  };
  OneBeam beam;
  beam.section.inertia = 0;
  EXPECT_EQ(error(std::move(beam), 66, {{"TKR", 1}}), "");
  OneBeam turns;
  turns.section.inertia = 0;
  EXPECT_EQ(error(std::move(turns), 66, {{"RKR", 1}}), "CR-E312");
  OneBeam shears;
  shears.section.inertia = 0;
  shears.section.scoor = 3;
  EXPECT_EQ(error(std::move(shears), 66, {{"TKS", 1}}), "CR-E312");
  OneBeam pulls;  // the r axis is along the line, so no moment is needed
  pulls.section.inertia = 0;
  pulls.section.scoor = 2;
  pulls.end = {1, 0, 0};
  EXPECT_EQ(error(std::move(pulls), 66, {{"TKR", 1}}), "");
  OneBeam light;
  light.section.volume = 0;
  EXPECT_EQ(error(std::move(light), 66, {{"TKR", 1}}), "CR-E312");
  OneBeam other;
  EXPECT_EQ(error(std::move(other), 1, {{"E", 1}}), "CR-E311");
  OneBeam follows;
  follows.section.scoor = 2;
  EXPECT_EQ(error(std::move(follows), 66, {{"TKR", 1}}), "CR-E301");
  OneBeam unloads;
  unloads.curves = {curve(1, {0, 1}, {0, 1}), curve(2, {0, 1}, {0, 2})};
  EXPECT_EQ(error(std::move(unloads), 119, {{"IUNLD", 1}, {"LCIDTR", 1}, {"LCIDTUR", 2}}), "CR-M105");
  OneBeam sphere;
  sphere.section.inertia = -1;
  Driver<double>& d = sphere.start(66, {{"RKR", 1}});
  const double radius = std::cbrt(3 * 2 / (4 * kPi));
  EXPECT_NEAR(d.nodes.inertia[0], 0.5 * 0.4 * 6 * radius * radius, 1e-12);
}

}  // namespace
}  // namespace crumple::test
