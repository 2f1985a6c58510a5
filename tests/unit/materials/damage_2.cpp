// MAT_105: closed forms of Lemaitre's damage in shear and biaxial tension, threshold, unloading, failure.
#include "materials/metal/damage_2.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kFlow = 0.3, kModulus = 210, kNu = 0.3;

Prepared lemaitre(Fields fields = {}) {
  return prepare({}, with_fields(material(105, {{"SIGY", kFlow}, {"S", 1e-3}, {"DC", 0.5}}), fields));
}
template <class Point>
double damage_of(const Point& p) {
  return p.point.history.template load<double>(0);
}

// In shear at a constant flow stress: Y = (1 + nu) q^2 / (3 E), and D is Y / S times the plastic strain.
TEST(Damage2, ShearHasItsClosedForm) {
  const Prepared law = lemaitre();
  const double per = (1 + kNu) * kFlow * kFlow / (3 * kModulus) / 1e-3;
  for (const int steps : {3, 200}) {
    Shell<double> shell(law);
    Solid<double> solid(law);
    shell.steps(steps, {0, 0, 0, 0.9, 0, 0});
    solid.steps(steps, {0, 0, 0, 0.9, 0, 0});
    const double p = shell.point.plastic_strain;
    EXPECT_NEAR(p, (0.9 - kFlow / std::sqrt(3.0) * 2.6 / kModulus) / std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(damage_of(shell), per * p, 1e-10);
    EXPECT_NEAR(damage_of(solid), per * p, 1e-10);
    EXPECT_NEAR(shell.point.s[3], (1 - per * p) * kFlow / std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(solid.point.s[3], (1 - per * p) * kFlow / std::sqrt(3.0), 1e-9);
  }
}

// Biaxial tension: mean stress 2/3 of the yield stress; in compression nothing pulls.
TEST(Damage2, TriaxialityAndTheSignOfStress) {
  const Prepared law = lemaitre();
  Shell<double> shell(law), pressed(law);
  shell.steps(100, {0.03, 0.03, 0, 0, 0, 0});
  pressed.steps(100, {-0.03, -0.03, 0, 0, 0, 0});
  const double rv = 2.0 / 3 * (1 + kNu) + 3 * (1 - 2 * kNu) * 4.0 / 9;
  ASSERT_GT(shell.point.plastic_strain, 0.05);
  EXPECT_NEAR(damage_of(shell), kFlow * kFlow / (2 * kModulus) * rv / 1e-3 * shell.point.plastic_strain,
              1e-9);
  EXPECT_EQ(damage_of(pressed), 0);
  EXPECT_NEAR(pressed.point.s[0], -kFlow, 1e-9);
}

TEST(Damage2, BeginsAtItsThreshold) {
  const Prepared law = lemaitre({{"EPSD", 0.1}});
  Shell<double> shell(law);
  shell.steps(7, {0, 0, 0, 0.15, 0, 0});
  ASSERT_LT(shell.point.plastic_strain, 0.1);
  EXPECT_EQ(damage_of(shell), 0);
  shell.step({0, 0, 0, 0.3, 0, 0});
  EXPECT_NEAR(damage_of(shell),
              (1 + kNu) * kFlow * kFlow / (3 * kModulus) / 1e-3 * (shell.point.plastic_strain - 0.1), 1e-10)
      << "within a step";
}

TEST(Damage2, UnloadsWithTheDamagedStiffness) {
  const Prepared law = lemaitre();
  Shell<double> shell(law);
  shell.steps(100, {0, 0, 0, 0.9, 0, 0});
  const double s = shell.point.s[3], d = damage_of(shell);
  ASSERT_GT(d, 0.05);
  shell.step({0, 0, 0, -1e-3, 0, 0});
  EXPECT_NEAR(shell.point.s[3], s - (1 - d) * kModulus / 2.6 * 1e-3, 1e-12);
  EXPECT_EQ(damage_of(shell), d);
}

TEST(Damage2, FailsAtItsDamage) {
  const Prepared law = lemaitre({{"DC", 0.05}});
  Shell<double> shell(law);
  const double at = 0.05 / ((1 + kNu) * kFlow * kFlow / (3 * kModulus) / 1e-3);
  for (int k = 0; k < 2000 && !shell.point.failed; ++k) shell.step({0, 0, 0, 1e-3, 0, 0});
  EXPECT_TRUE(shell.point.failed);
  EXPECT_NEAR(shell.point.plastic_strain, at, 1e-3);
  EXPECT_EQ(shell.point.s[3], 0);
  const double p = shell.point.plastic_strain;
  shell.step({0, 0, 0, 1e-2, 0, 0});
  EXPECT_TRUE(shell.point.failed);
  EXPECT_EQ(shell.point.s[3], 0);
  EXPECT_EQ(shell.point.plastic_strain, p);
}

// S = 0 is a 200th of the first yield stress; DC = 0 is 0.5. Rates act as in MAT_024 with VP = 1.
TEST(Damage2, DefaultsAndRates) {
  const Prepared law = lemaitre({{"S", 0.0}, {"DC", 0.0}}), same = lemaitre({{"S", kFlow / 200}});
  Shell<double> one(law), other(same);
  one.steps(10, {0.02, 0.01, 0, 0.05, 0, 0});
  other.steps(10, {0.02, 0.01, 0, 0.05, 0, 0});
  EXPECT_EQ(damage_of(one), damage_of(other));
  EXPECT_GT(damage_of(one), 0);
  const Prepared fast = lemaitre({{"C", 40.0}, {"P", 5.0}, {"EPSD", 1.0}}),
                 of_24 = prepare({}, material(24, {{"LCSS", 0.0}, {"SIGY", kFlow}, {"C", 40.0}, {"P", 5.0}}));
  Shell<double> rated(fast);
  rated.step({0, 0, 0, 0.1, 0, 0}, 1e-3);
  const double p = rated.point.plastic_strain;
  EXPECT_NEAR(rated.point.s[3] * std::sqrt(3.0), kFlow * (1 + std::pow(p / 1e-3 / 40, 0.2)), 1e-7);
}

TEST(Damage2, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(lemaitre({{"DC", 1.0}}), Error);
  EXPECT_THROW(lemaitre({{"EPSD", -1.0}}), Error);
  EXPECT_THROW(lemaitre({{"S", -1.0}}), Error);
  EXPECT_THROW(lemaitre({{"SIGY", 0.0}}), Error);
}

}  // namespace
}  // namespace crumple::materials
