// MAT_004: at one temperature it is bilinear plasticity; the stress follows the moduli at a constant strain.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "materials/expansion.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

/// Two temperatures, 0 and 100: E 200 to 100, PR 0.25 to 0.35, SIGY 0.4 to 0.1, ETAN 4 to 2.
model::Material table(Fields more = {}) {
  model::Material m = material(4, {{"T1", 0.0},
                                   {"T2", 100.0},
                                   {"E1", 200.0},
                                   {"E2", 100.0},
                                   {"PR1", 0.25},
                                   {"PR2", 0.35},
                                   {"SIGY1", 0.4},
                                   {"SIGY2", 0.1},
                                   {"ETAN1", 4.0},
                                   {"ETAN2", 2.0}});
  m.fields.erase("E");
  m.fields.erase("PR");
  return with_fields(std::move(m), more);
}

template <class Point>
void set_temperature(Point& p, double now, double before) {
  p.point.history.store(0, now);
  p.point.history.store(1, before);
}

/// MAT_003 at the temperature: hardening H is a tangent E H / (E + H).
Prepared bilinear(double temperature) {
  const double w = temperature / 100, e = 200 - 100 * w, h = 4 - 2 * w;
  return prepare({}, material(3, {{"E", e},
                                  {"PR", 0.25 + 0.1 * w},
                                  {"SIGY", 0.4 - 0.3 * w},
                                  {"ETAN", e * h / (e + h)},
                                  {"BETA", 1.0}}));
}

TEST(ElasticPlasticThermal, IsBilinearPlasticityAtATemperature) {
  const Prepared law = prepare({}, table());
  for (const double t : {0.0, 30.0, 100.0}) {
    const Prepared other = bilinear(t);
    Solid<double> a(law), b(other);
    Shell<double> c(law), d(other);
    set_temperature(a, t, t);
    set_temperature(c, t, t);
    std::mt19937 engine(3);
    std::normal_distribution<double> draw(0, 2e-3);
    for (int k = 0; k < 60; ++k) {
      double strain[6];
      for (double& s : strain) s = draw(engine);
      a.step(strain);
      b.step(strain);
      c.step(strain);
      d.step(strain);
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(a.point.s[i], b.point.s[i], 1e-11) << t << ' ' << k << ' ' << i;
        EXPECT_NEAR(c.point.s[i], d.point.s[i], 1e-9) << t << ' ' << k << ' ' << i;
      }
      EXPECT_NEAR(a.point.plastic_strain, b.point.plastic_strain, 1e-13);
      EXPECT_NEAR(c.point.plastic_strain, d.point.plastic_strain, 1e-11);
      EXPECT_NEAR(c.point.d[2], d.point.d[2], 1e-11);
    }
    EXPECT_GT(a.point.plastic_strain, 0.01);
  }
}

TEST(ElasticPlasticThermal, StressFollowsTheModuliAtAConstantStrain) {
  const Prepared law = prepare({}, table({{"SIGY1", 0.0}, {"SIGY2", 0.0}, {"ETAN1", 0.0}, {"ETAN2", 0.0}}));
  const double strain[6] = {3e-4, -1e-4, 2e-4, 1e-4, -2e-4, 3e-4}, none[6] = {};
  const auto hooke = [&](double t, double(&s)[6]) {
    const double e = 200 - t, nu = 0.25 + 0.001 * t, g = e / (2 * (1 + nu)), k = e / (3 * (1 - 2 * nu));
    const double trace = strain[0] + strain[1] + strain[2];
    for (int i = 0; i < 3; ++i) s[i] = k * trace + 2 * g * (strain[i] - trace / 3);
    for (int i = 3; i < 6; ++i) s[i] = g * strain[i];
  };
  Solid<double> p(law);
  set_temperature(p, 0, 0);
  p.step(strain);
  for (const double t : {40.0, 80.0, 100.0, 10.0}) {
    p.point.history.store(0, t);
    p.step(none);
    double s[6];
    hooke(t, s);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(p.point.s[i], s[i], 1e-14) << t << ' ' << i;
  }
  Shell<double> shell(law);
  set_temperature(shell, 0, 0);
  shell.step(strain);
  double thickness = shell.point.d[2];
  for (const double t : {40.0, 100.0}) {
    shell.point.history.store(0, t);
    shell.step(none);
    thickness += shell.point.d[2];
    const double e = 200 - t, nu = 0.25 + 0.001 * t, plane = e / (1 - nu * nu);
    EXPECT_NEAR(shell.point.s[0], plane * (strain[0] + nu * strain[1]), 1e-14);
    EXPECT_NEAR(shell.point.s[1], plane * (strain[1] + nu * strain[0]), 1e-14);
    EXPECT_NEAR(shell.point.s[4], e / (2 * (1 + nu)) * strain[4], 1e-14);
    EXPECT_NEAR(thickness, -nu / (1 - nu) * (strain[0] + strain[1]), 1e-16);
  }
}

TEST(ElasticPlasticThermal, YieldsWhenItGetsHot) {
  const Prepared law = prepare({}, table({{"ETAN1", 0.0}, {"ETAN2", 0.0}}));
  const double shear[6] = {0, 0, 0, 2e-3, 0, 0}, none[6] = {};
  Solid<double> solid(law);
  Shell<double> shell(law);
  set_temperature(solid, 0, 0);
  set_temperature(shell, 0, 0);
  solid.step(shear);
  shell.step(shear);
  EXPECT_NEAR(solid.point.s[3], 80.0 * 2e-3, 1e-14);
  EXPECT_EQ(solid.point.plastic_strain, 0);
  solid.point.history.store(0, 100.0);
  shell.point.history.store(0, 100.0);
  solid.step(none);
  shell.step(none);
  EXPECT_NEAR(solid.point.s[3], 0.1 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(shell.point.s[3], 0.1 / std::sqrt(3.0), 1e-13);
  const double elastic = 0.1 / std::sqrt(3.0) / (100 / 2.7);
  EXPECT_NEAR(solid.point.plastic_strain, (2e-3 - elastic) / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(shell.point.plastic_strain, (2e-3 - elastic) / std::sqrt(3.0), 1e-13);
}

TEST(ElasticPlasticThermal, KnowsItsExpansionAndItsFastestWave) {
  const Prepared without = prepare({}, table());
  EXPECT_EQ(without.expansion, nullptr);
  EXPECT_EQ(without.elastic.young, 200.0);
  const Prepared with = prepare({}, table({{"ALPHA1", 1e-5}, {"ALPHA2", 2e-5}}));
  ASSERT_NE(with.expansion, nullptr);
  EXPECT_NEAR(with.expansion->strain(0, 100), 1.5e-3, 1e-18);
}

TEST(ElasticPlasticThermal, RefusesTablesByName) {
  const auto refused = [](Fields fields, const std::string& field) {
    try {
      prepare({}, table(fields));
      ADD_FAILURE() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().field, field) << error.message();
    }
  };
  refused({{"T2", 0.0}}, "T2");
  refused({{"T2", -1.0}}, "T2");
  refused({{"T3", 200.0}}, "E3");
  refused({{"PR2", 0.5}}, "PR2");
  refused({{"SIGY2", 0.0}}, "SIGY2");
  refused({{"ETAN2", -1.0}}, "ETAN2");
}

}  // namespace
}  // namespace crumple::materials
