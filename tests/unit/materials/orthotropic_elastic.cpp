// MAT_002 against Hooke's law along axes (Jones 1975, eqs. 2.25 and 2.80), and large rotations and stretches.
#include "materials/orthotropic/orthotropic_elastic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

model::Material lamina_of(Fields fields = {}) { return lamina(2, fields); }

void set_angle(Shell<double>& shell, double angle) {
  shell.point.history.store(0, std::cos(angle) - 1);
  shell.point.history.store(1, std::sin(angle));
}

void set_axes(Solid<double>& solid, const double (&axes)[3][3]) {
  for (int k = 0; k < 9; ++k) solid.point.history.store(k, axes[k / 3][k % 3] - (k % 4 == 0 ? 1 : 0));
}

constexpr double kAlong[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(OrthotropicElastic, ShellHasPlaneStressAlongItsAxes) {
  const Prepared law = prepare({}, lamina_of());
  Shell<double> shell(law);
  set_angle(shell, 0);
  shell.step({1e-3, 2e-3, 0, 3e-3, 4e-3, 5e-3});
  const double whole = 1 - 0.02 * 0.02 * 140 / 10, a = (140 * 1e-3 + 0.02 * 140 * 2e-3) / whole,
               b = (10 * 2e-3 + 0.02 * 140 * 1e-3) / whole;
  EXPECT_NEAR(shell.point.s[0], a, 1e-12);
  EXPECT_NEAR(shell.point.s[1], b, 1e-12);
  EXPECT_NEAR(shell.point.s[3], 5 * 3e-3, 1e-15);
  EXPECT_NEAR(shell.point.s[4], 3 * 4e-3, 1e-15);
  EXPECT_NEAR(shell.point.s[5], 4 * 5e-3, 1e-15);
  EXPECT_NEAR(shell.point.d[2], -0.015 / 8 * a - 0.3 / 8 * b, 1e-12);
}

// 1 / E_x = c^4 / E1 + (1 / G12 - 2 nu12 / E1) s^2 c^2 + s^4 / E2 (Jones 1975, eq. 2.97): the strain of that
// stress gives it back.
TEST(OrthotropicElastic, ShellOffItsAxes) {
  const Prepared law = prepare({}, lamina_of());
  for (const double degrees : {10.0, 30.0, 45.0, 75.0, -60.0}) {
    const double angle = degrees * M_PI / 180, c = std::cos(angle), s = std::sin(angle);
    const double s11 = 1.0 / 140, s22 = 0.1, s12 = -0.02 / 10, s66 = 0.2;
    const double x = s11 * c * c * c * c + (2 * s12 + s66) * s * s * c * c + s22 * s * s * s * s;
    const double y = (s11 + s22 - s66) * s * s * c * c + s12 * (s * s * s * s + c * c * c * c);
    const double xy = (2 * s11 - 2 * s12 - s66) * s * c * c * c - (2 * s22 - 2 * s12 - s66) * s * s * s * c;
    Shell<double> shell(law);
    set_angle(shell, angle);
    shell.steps(7, {0.1 * x, 0.1 * y, 0, 0.1 * xy, 0, 0});
    EXPECT_NEAR(shell.point.s[0], 0.1, 1e-12) << degrees;
    EXPECT_NEAR(shell.point.s[1], 0, 1e-12) << degrees;
    EXPECT_NEAR(shell.point.s[3], 0, 1e-12) << degrees;
  }
}

TEST(OrthotropicElastic, SolidInvertsItsCompliance) {
  const Prepared law = prepare({}, lamina_of());
  Solid<double> solid(law);
  set_axes(solid, kAlong);
  const double s[3] = {1e-9, -2e-9, 3e-9};  // stresses a, b, c
  const double a = s[0] / 140 - 0.02 / 10 * s[1] - 0.015 / 8 * s[2];
  const double b = -0.02 / 10 * s[0] + s[1] / 10 - 0.3 / 8 * s[2];
  const double c = -0.015 / 8 * s[0] - 0.3 / 8 * s[1] + s[2] / 8;
  solid.step({a, b, c, 1e-9, 2e-9, 3e-9});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.point.s[k], s[k], 1e-15) << k;
  EXPECT_NEAR(solid.point.s[3], 5e-9, 1e-15);
  EXPECT_NEAR(solid.point.s[4], 6e-9, 1e-15);
  EXPECT_NEAR(solid.point.s[5], 12e-9, 1e-15);
}

// Axes b, c, a along x, y, z: the constants change places.
TEST(OrthotropicElastic, SolidWithExchangedAxes) {
  const Prepared law = prepare({}, lamina_of());
  Solid<double> straight(law), turned(law);
  set_axes(straight, kAlong);
  set_axes(turned, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  straight.step({1e-3, 2e-3, -1e-3, 3e-3, 4e-3, 5e-3});  // aa bb cc ab bc ca
  turned.step({2e-3, -1e-3, 1e-3, 4e-3, 5e-3, 3e-3});  // xx = bb, yy = cc, zz = aa, xy = bc, yz = ca, zx = ab
  const int from[6] = {1, 2, 0, 4, 5, 3};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(turned.point.s[k], straight.point.s[from[k]], 1e-12) << k;
}

// Uniaxial stretch: S = C_aa E with E = (l^2 - 1) / 2, and the Cauchy stress is l S where the sides are held.
TEST(OrthotropicElastic, SolidStretchedFar) {
  const Prepared law = prepare({}, lamina_of());
  const double stretch = 1.3;
  Solid<double> solid(law);
  set_axes(solid, kAlong);
  solid.steps(4000, {std::log(stretch), 0, 0, 0, 0, 0});
  const double c_aa = solid_stiffness(lamina_of()).aa, green = 0.5 * (stretch * stretch - 1);
  EXPECT_NEAR(solid.point.s[0], stretch * c_aa * green, 1e-5 * c_aa);
  solid.steps(4000, {-std::log(stretch), 0, 0, 0, 0, 0});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.point.s[k], 0, 1e-6 * c_aa) << "comes back " << k;
}

// Stress turns with the material: sixty turns of 6 degrees bring it back, a quarter exchanges x and y.
TEST(OrthotropicElastic, SolidTurns) {
  const Prepared law = prepare({}, lamina_of());
  Solid<double> solid(law);
  set_axes(solid, {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}});
  solid.step({1e-3, 0, 0, 5e-4, 0, 1e-4});
  double before[6];
  for (int k = 0; k < 6; ++k) before[k] = solid.point.s[k];
  const double c = std::cos(M_PI / 30), s = std::sin(M_PI / 30);
  const double turn[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  solid.point.rotation = turn;
  for (int k = 0; k < 15; ++k) solid.step({0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], before[1], 1e-12);
  EXPECT_NEAR(solid.point.s[1], before[0], 1e-12);
  EXPECT_NEAR(solid.point.s[3], -before[3], 1e-12);
  for (int k = 0; k < 45; ++k) solid.step({0, 0, 0, 0, 0, 0});
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(solid.point.s[k], before[k], 1e-12) << k;
}

TEST(OrthotropicElastic, RefusesConstantsThatAreNotDefinite) {
  const auto id = [](Fields fields) -> std::string {
    try {
      prepare({}, lamina_of(fields));
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"PRBA", 0.27}}), "CR-M111");  // root of EB / EA: 0.267
  EXPECT_EQ(id({{"PRCB", 0.95}}), "CR-M111");  // root of EC / EB: 0.894
  EXPECT_EQ(id({{"PRCA", 0.25}}), "CR-M111");
  EXPECT_EQ(id({{"PRBA", 0.25}, {"PRCA", 0.2}, {"PRCB", -0.5}}), "CR-M111") << "the determinant";
  EXPECT_EQ(id({{"EC", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"GBC", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"SIGF", 1.0}}), "CR-M105");
}

// An isotropic material's waves: E / (1 - nu^2) in a sheet, K + 4/3 G in space.
TEST(OrthotropicElastic, StableStepIsThatOfTheFastestWave) {
  const double shear = 100 / 2.6;
  const Prepared same = prepare({}, lamina_of({{"EA", 100.0},
                                               {"EB", 100.0},
                                               {"EC", 100.0},
                                               {"PRBA", 0.3},
                                               {"PRCA", 0.3},
                                               {"PRCB", 0.3},
                                               {"GAB", shear},
                                               {"GBC", shear},
                                               {"GCA", shear}}));
  EXPECT_NEAR(same.elastic.young / (1 - same.elastic.poisson * same.elastic.poisson), 100 / 0.91, 1e-9);
  EXPECT_NEAR(same.elastic.bulk + 4.0 / 3 * same.elastic.shear, 100 * 0.7 / (1.3 * 0.4), 1e-9);
  const Prepared fibres = prepare({}, lamina_of());
  EXPECT_NEAR(fibres.elastic.bulk + 4.0 / 3 * fibres.elastic.shear, solid_stiffness(lamina_of()).aa, 0.01);
}

}  // namespace
}  // namespace crumple::materials
