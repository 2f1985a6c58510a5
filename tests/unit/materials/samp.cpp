// MAT_187 against its tests: tension, compression and shear by their curves, plastic Poisson's ratios, the
// yield surface between them, rates, damage, failure, plane stress.
#include "materials/polymer/samp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 2, kNu = 0.4, kG = kE / (2 * (1 + kNu));

model::Model polymers() {
  model::Model m;
  m.curves = {curve(1, {0, 0.1, 0.5}, {0.03, 0.04, 0.06}),
              curve(2, {0, 0.5}, {0.045, 0.065}),
              curve(3, {0, 0.5}, {0.022, 0.04}),
              curve(4, {0, 0.1, 0.5}, {0.06, 0.08, 0.12}),
              curve(5, {0, 0.05, 1}, {0, 0.2, 0.6}),
              curve(6, {0, 1}, {0.3, 0.3}),
              curve(7, {0, 0.5}, {0.015, 0.03}),
              curve(8, {0, 1}, {0.3, 0.7}),
              curve(9, {0, 0.5}, {0.03, -0.06})};
  m.tables = {{20, {0.001, 1.0}, {0, 3}}, {21, {-5.0, 5.0}, {0, 3}}};
  return m;
}
double yield_of(int id, double x) { return polymers().curves[std::size_t(id - 1)](x); }
model::Material polymer(Fields fields = {}) {
  model::Material m = material(187, {{"EMOD", kE}, {"NUE", kNu}, {"LCID-T", 1.0}, {"NUEP", 0.3}});
  m.density = 1e-6;
  return with_fields(m, fields);
}
Prepared samp(Fields fields = {}) { return prepare(polymers(), polymer(fields)); }

const Fields kThree = {{"LCID-C", 2.0}, {"LCID-S", 3.0}};

/// Pulls or presses a solid in x to the plastic strain p, with free sides: the strain of the stress `s` and
/// the plastic strain with the ratio n, in steps. Returns the point.
Solid<double> loaded(const Prepared& law, double s, double p, double n, int steps = 1) {
  Solid<double> solid(law);
  const double lateral = -kNu * s / kE - n * p;
  solid.steps(steps, {s / kE + p, lateral, lateral, 0, 0, 0});
  return solid;
}

// In one step and in many, with Poisson's ratios of flow: the stress is that of the curve and the sides stay
// free, which holds for one ratio only.
TEST(Samp, TensionAndCompressionFollowTheirCurves) {
  for (const double n : {0.0, 0.3, 0.5}) {
    const Prepared law = samp({{"LCID-C", 2.0}, {"LCID-S", 3.0}, {"NUEP", n}});
    for (const double p : {0.001, 0.05, 0.3}) {
      const Solid<double> pulled = loaded(law, yield_of(1, p), p, n);
      EXPECT_NEAR(pulled.point.s[0], yield_of(1, p), 1e-9) << n << ' ' << p;
      EXPECT_NEAR(pulled.point.s[1], 0, 1e-9) << n << ' ' << p;
      EXPECT_NEAR(pulled.point.plastic_strain, p, 1e-9) << n << ' ' << p;
      const Solid<double> pressed = loaded(law, -yield_of(2, p), -p, n);
      EXPECT_NEAR(pressed.point.s[0], -yield_of(2, p), 1e-9) << n << ' ' << p;
      EXPECT_NEAR(pressed.point.s[2], 0, 1e-9) << n << ' ' << p;
      EXPECT_NEAR(pressed.point.plastic_strain, p, 1e-9) << n << ' ' << p;
    }
  }
}

// gamma = t / G + 2 p over the plastic shear p.
TEST(Samp, ShearFollowsItsCurve) {
  const Prepared law = samp(kThree), without_compression = samp({{"LCID-S", 3.0}});
  for (const double p : {0.01, 0.2})
    for (const Prepared* of : {&law, &without_compression}) {
      Solid<double> solid(*of);
      solid.steps(2, {0, 0, 0, 0, yield_of(3, p) / kG + 2 * p, 0});
      EXPECT_NEAR(solid.point.s[4], yield_of(3, p), 1e-9);
      EXPECT_NEAR(solid.point.s[0], 0, 1e-9);
      EXPECT_NEAR(solid.point.history.load<double>(0), p, 1e-9);
      EXPECT_NEAR(solid.point.plastic_strain, p * 2 / std::sqrt(3.0) * 1.5 / 1.3, 1e-9);
    }
}

double q_of(const double (&s)[6]) { return mises(s); }
double p_of(const double (&s)[6]) { return -(s[0] + s[1] + s[2]) / 3; }

/// What is left of the yield condition, over the stress squared.
double gap(const Prepared& law, const double (&s)[6], double strain, double shear, bool has_c, bool has_s) {
  (void)law;
  const double t = yield_of(1, strain);
  double c = yield_of(2, strain), h = yield_of(3, shear);
  if (!has_s && !has_c) c = t;
  if (!has_s) h = std::sqrt(c * t / 3);
  if (has_s && !has_c) c = 3 * h * h / t;
  const double a0 = 3 * h * h, a1 = 9 * h * h * (c - t) / (c * t), a2 = 9 * (c * t - 3 * h * h) / (c * t);
  const double q = q_of(s), p = p_of(s);
  return (q * q - a0 - a1 * p - a2 * p * p) / (t * t);
}

// Any stress after any step is on the surface or within it.
TEST(Samp, StressesAreOnTheSurface) {
  std::mt19937 engine(2);
  std::normal_distribution<double> draw(0, 1);
  for (const auto& [c, s] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    const Prepared law = samp({{"LCID-C", c ? 2.0 : 0.0}, {"LCID-S", s ? 3.0 : 0.0}});
    for (const double size : {0.01, 0.1})
      for (int k = 0; k < 100; ++k) {
        Solid<double> solid(law);
        double d[6];
        for (double& x : d) x = size * draw(engine);
        solid.step(d);
        const double strain = solid.point.plastic_strain, shear = solid.point.history.load<double>(0);
        const double left = gap(law, solid.point.s, strain, shear, c, s);
        EXPECT_LE(left, 1e-8) << k;
        if (strain > 0) {
          EXPECT_GE(left, -1e-8) << k;
        }
      }
  }
}

// With tension alone and n = 1/2 it is MAT_024.
TEST(Samp, MisesIsASpecialCase) {
  const Prepared law = samp({{"NUEP", 0.5}});
  const Prepared other = prepare(polymers(), material(24, {{"E", kE}, {"PR", kNu}, {"LCSS", 1.0}}));
  Solid<double> solid(law), mises_solid(other);
  Shell<double> shell(law), mises_shell(other);
  std::mt19937 engine(3);
  std::normal_distribution<double> draw(0, 0.01);
  for (int k = 0; k < 60; ++k) {
    double d[6];
    for (double& x : d) x = draw(engine);
    for (auto* of : {&solid, &mises_solid}) of->step(d);
    for (auto* of : {&shell, &mises_shell}) of->step(d);
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(solid.point.s[i], mises_solid.point.s[i], 1e-10) << k;
      EXPECT_NEAR(shell.point.s[i], mises_shell.point.s[i], 1e-10) << k;
    }
    EXPECT_NEAR(shell.point.d[2], mises_shell.point.d[2], 1e-9) << k;
  }
  EXPECT_GT(solid.point.plastic_strain, 0.2);
}

// A shell is a solid without stress across it: with the shell's thickness strain the solid has its stresses.
TEST(Samp, PlaneStress) {
  const Prepared law = samp(kThree);
  std::mt19937 engine(4);
  std::normal_distribution<double> draw(0, 1);
  for (const double size : {0.005, 0.03, 0.2})
    for (int k = 0; k < 50; ++k) {
      Shell<double> shell(law);
      Solid<double> solid(law);
      const double x = size * draw(engine), y = size * draw(engine), xy = size * draw(engine),
                   zx = size * draw(engine);
      shell.step({x, y, 0, xy, 0, zx});
      solid.step({x, y, shell.point.d[2], xy, 0, zx});
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(shell.point.s[i], solid.point.s[i], 1e-8) << size << ' ' << k;
      EXPECT_NEAR(shell.point.plastic_strain, solid.point.plastic_strain, 1e-8) << size << ' ' << k;
    }
}

// The rate of plastic strain, also by its logarithm; compression is scaled as tension, which doubles over the
// table.
TEST(Samp, Rates) {
  for (const auto& [table, share] :
       {std::pair(20.0, (0.5 - 0.001) / 0.999), {21.0, (std::log(0.5) + 5) / 10}}) {
    const Prepared law = samp({{"LCID-T", table}, {"LCID-C", 2.0}});
    const double p = 0.2, factor = 1 + share;
    for (const double sign : {1.0, -1.0}) {
      Solid<double> solid(law);
      const double s = sign * factor * yield_of(sign > 0 ? 1 : 2, p),
                   lateral = -kNu * s / kE - sign * 0.3 * p;
      solid.steps(1, {s / kE + sign * p, lateral, lateral, 0, 0, 0}, p / 0.5);
      EXPECT_NEAR(solid.point.s[0], s, 1e-8) << table;
      EXPECT_NEAR(solid.point.plastic_strain, p, 1e-8);
    }
  }
}

TEST(Samp, PlasticPoissonsRatioByACurve) {
  const Prepared law = samp({{"LCID-P", 6.0}, {"NUEP", 0.0}}), same = samp({{"NUEP", 0.3}});
  const double p = 0.1, s = yield_of(1, p);
  EXPECT_NEAR(loaded(law, s, p, 0.3).point.s[0], loaded(same, s, p, 0.3).point.s[0], 1e-12);
  EXPECT_NEAR(loaded(law, s, p, 0.3).point.s[0], s, 1e-9);
}

// LCID-D > 0: the curves are those of the undamaged material, unloading has the modulus E (1 - d). LCID-D <
// 0: the curves have the stress itself; steps are small, as d is that of their beginning.
TEST(Samp, Damage) {
  const double p = 0.05, left = 0.8;
  const Prepared effective = samp({{"LCID-D", 5.0}});
  Solid<double> solid = loaded(effective, yield_of(1, p), p, 0.3);
  EXPECT_NEAR(solid.point.s[0], left * yield_of(1, p), 1e-9);
  const double before = solid.point.s[0];
  solid.step({-1e-3, 0.4e-3, 0.4e-3, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], before - left * kE * 1e-3, 1e-9);
  // With d(p) of the first step, the second one returns to the curve over 1 - d(p).
  const Prepared itself = samp({{"LCID-D", -5.0}});
  Solid<double> other = loaded(itself, yield_of(1, p), p, 0.3);
  EXPECT_NEAR(other.point.s[0], left * yield_of(1, p), 1e-9);
  const double later = 0.08, s = yield_of(1, later) / left;
  const double rise = (s - yield_of(1, p)) / kE, lateral = -kNu * rise - 0.3 * (later - p);
  other.step({rise + later - p, lateral, lateral, 0, 0, 0});
  EXPECT_NEAR(other.point.plastic_strain, later, 1e-9);
  EXPECT_NEAR(other.point.s[0], s * (1 - yield_of(5, later)), 1e-9);
}

TEST(Samp, FadesAndFails) {
  const Prepared law = samp({{"EPFAIL", 0.2}, {"DEPRPT", 0.1}});
  Solid<double> half = loaded(law, yield_of(1, 0.25), 0.25, 0.3);
  EXPECT_NEAR(half.point.s[0], 0.5 * yield_of(1, 0.25), 1e-8);
  EXPECT_FALSE(half.point.failed);
  Solid<double> gone = loaded(law, yield_of(1, 0.31), 0.31, 0.3);
  EXPECT_TRUE(gone.point.failed);
  EXPECT_EQ(gone.point.s[0], 0);
  gone.step({-0.1, 0, 0, 0, 0, 0});
  EXPECT_TRUE(gone.point.failed);
  EXPECT_EQ(gone.point.s[0], 0);
  EXPECT_FALSE(loaded(samp({{"EPFAIL", 0.2}, {"INCFAIL", -1.0}}), yield_of(1, 0.3), 0.3, 0.3).point.failed);
  Shell<double> shell(law);
  shell.step({0.5, 0.1, 0, 0, 0, 0});
  EXPECT_TRUE(shell.point.failed);
  EXPECT_EQ(shell.point.d[2], 0);
}

// Shear below sqrt(c s / 3) makes the surface hollow; ICONV = 1 raises it to that, times ASAF.
TEST(Samp, ConvexSurface) {
  const double factor = 1.1;
  const Prepared law =
      samp({{"LCID-C", 2.0}, {"LCID-S", 7.0}, {"ICONV", 1.0}, {"ASAF", factor}, {"NUEP", 0.5}});
  Solid<double> solid(law);
  solid.steps(100, {0, 0, 0, 0.1, 0, 0});
  const double p = solid.point.plastic_strain;
  EXPECT_NEAR(solid.point.s[3], factor * std::sqrt(yield_of(1, p) * yield_of(2, p) / 3), 1e-9);
}

TEST(Samp, HydrostaticTensionHasALimit) {
  const Prepared law = samp(kThree);
  Solid<double> solid(law);
  solid.steps(10, {0.1, 0.1, 0.1, 0, 0, 0});
  EXPECT_LE(
      gap(law, solid.point.s, solid.point.plastic_strain, solid.point.history.load<double>(0), true, true),
      1e-6);
  EXPECT_LT(solid.point.s[0], 0.2);
  EXPECT_NEAR(solid.point.s[0], solid.point.s[1], 1e-12);
}

TEST(Samp, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      samp(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"LCID-T", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"LCID-T", 99.0}}), "CR-M106");
  EXPECT_EQ(id({{"LCID-C", 9.0}}), "CR-M107");
  EXPECT_EQ(id({{"EMOD", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"NUE", 0.5}}), "CR-M104");
  EXPECT_EQ(id({{"NUEP", 0.6}}), "CR-M108");
  EXPECT_EQ(id({{"NUEP", -1.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCID-P", 8.0}}), "CR-M107");
  EXPECT_EQ(id({{"EPFAIL", -1.0}}), "CR-M105");
  EXPECT_EQ(id({{"EPFAIL", 0.1}, {"DEPRPT", -1.0}}), "CR-M105");
  EXPECT_EQ(id({{"INCFAIL", 1.0}}), "CR-M105");
  for (const char* field : {"RBCFAC", "LCID-B", "LCID-TRI", "LCID-LC", "LCEMOD", "INCDAM"})
    EXPECT_EQ(id({{field, 1.0}}), "CR-M105") << field;
}

}  // namespace
}  // namespace crumple::materials
