// MAT_007 against closed forms of Blatz and Ko (1962), and its work against their strain energy.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kShear = 40.0, kNu = 0.463;

Prepared rubber() { return prepare({}, material(7, {{"G", kShear}})); }

/// Pulls a point to principal stretches along the logarithm; returns the work per initial volume.
double stretch_to(Solid<double>& solid, const double (&from)[3], const double (&to)[3], int count = 1000) {
  double d[6] = {}, volume = from[0] * from[1] * from[2], work = 0;
  for (int i = 0; i < 3; ++i) d[i] = std::log(to[i] / from[i]) / count;
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 3; ++i) work += 0.5 * volume * solid.point.s[i] * d[i];
    volume *= std::exp(d[0] + d[1] + d[2]);
    solid.point.volume_ratio = volume;
    solid.step({d[0], d[1], d[2], 0, 0, 0});
    for (int i = 0; i < 3; ++i) work += 0.5 * volume * solid.point.s[i] * d[i];
  }
  return work;
}

/// Strain energy per initial volume of Blatz and Ko with f = 1.
double energy(const double (&l)[3]) {
  const double i1 = l[0] * l[0] + l[1] * l[1] + l[2] * l[2], i3 = std::pow(l[0] * l[1] * l[2], 2);
  return kShear / 2 * (i1 - 3 + (1 - 2 * kNu) / kNu * (std::pow(i3, -kNu / (1 - 2 * kNu)) - 1));
}

TEST(BlatzKo, IsHookesLawAtSmallStrain) {
  const Prepared law = rubber();
  EXPECT_DOUBLE_EQ(law.elastic.shear, kShear);
  EXPECT_DOUBLE_EQ(law.elastic.poisson, kNu);
  Solid<double> solid(law);
  solid.point.volume_ratio = 1;
  solid.step({0, 0, 0, 0, 0, 0});
  for (const double s : solid.point.s) EXPECT_EQ(s, 0.0);
  const double strain = 1e-7, bulk = 2 * kShear * (1 + kNu) / (3 * (1 - 2 * kNu));
  solid.point.volume_ratio = 1 + strain;
  solid.step({strain, 0, 0, 0, 2e-7, 0});
  EXPECT_NEAR(solid.point.s[0] / strain, bulk + 4 * kShear / 3, 1e-5 * bulk);
  EXPECT_NEAR(solid.point.s[1] / strain, bulk - 2 * kShear / 3, 1e-5 * bulk);
  EXPECT_NEAR(solid.point.s[4], kShear * 2e-7, 1e-12 * bulk);
}

// A strip that is pulled or pressed has the lateral stretch l^-nu and the nominal stress G (l - l^-(1 + 2
// nu)).
TEST(BlatzKo, StripPulledAndPressed) {
  const Prepared law = rubber();
  for (const double l : {2.0, 1.3, 0.7, 0.4}) {
    Solid<double> solid(law);
    const double side = std::pow(l, -kNu);
    stretch_to(solid, {1, 1, 1}, {l, side, side});
    const double nominal = kShear * (l - std::pow(l, -1 - 2 * kNu));
    EXPECT_NEAR(solid.point.s[0] * side * side, nominal, 1e-5 * kShear) << l;
    EXPECT_NEAR(solid.point.s[1], 0.0, 1e-5 * kShear) << l;
    EXPECT_NEAR(solid.point.s[2], 0.0, 1e-5 * kShear) << l;
  }
}

TEST(BlatzKo, PressureOfACompressedCube) {
  const Prepared law = rubber();
  for (const double l : {0.93, 1.1}) {
    Solid<double> solid(law);
    stretch_to(solid, {1, 1, 1}, {l, l, l});
    const double exact = kShear * (1 / l - std::pow(l, -3 / (1 - 2 * kNu)));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(solid.point.s[i], exact, 1e-5 * std::abs(exact)) << l;
  }
}

// Simple shear x = X + gamma Y keeps the volume: s_xy = G gamma, s_xx = G gamma^2, s_yy = 0.
TEST(BlatzKo, SimpleShear) {
  const Prepared law = rubber();
  Solid<double> solid(law);
  constexpr int count = 4000;
  const double gamma = 1.5, d = gamma / count, c = std::cos(d / 2), s = std::sin(d / 2);
  const double rotation[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  solid.point.volume_ratio = 1;
  solid.point.rotation = rotation;
  for (int k = 0; k < count; ++k) solid.step({0, 0, 0, d, 0, 0});
  EXPECT_NEAR(solid.point.s[0], kShear * gamma * gamma, 1e-3 * kShear);
  EXPECT_NEAR(solid.point.s[1], 0.0, 1e-3 * kShear);
  EXPECT_NEAR(solid.point.s[3], kShear * gamma, 1e-3 * kShear);
}

TEST(BlatzKo, WorkIsTheStrainEnergyAndComesBack) {
  const Prepared law = rubber();
  Solid<double> solid(law);
  const double rest[3] = {1, 1, 1}, pulled[3] = {1.6, 0.8, 0.85}, pressed[3] = {0.9, 1.3, 0.8};
  double work = stretch_to(solid, rest, pulled);
  EXPECT_NEAR(work, energy(pulled), 1e-4 * energy(pulled));
  work += stretch_to(solid, pulled, pressed);
  EXPECT_NEAR(work, energy(pressed), 1e-4 * energy(pulled));
  work += stretch_to(solid, pressed, rest);
  EXPECT_NEAR(work, 0.0, 1e-4 * energy(pulled));
  for (const double s : solid.point.s) EXPECT_NEAR(s, 0.0, 1e-4 * kShear);
}

TEST(BlatzKo, TurnsWithTheSolid) {
  const Prepared law = rubber();
  Solid<double> solid(law);
  solid.point.volume_ratio = 1.02;
  for (int k = 0; k < 3; ++k) solid.step({k == 0 ? 0.03 : 0, k == 0 ? -0.01 : 0, 0, k == 0 ? 0.02 : 0, 0, 0});
  const double before[3] = {solid.point.s[0], solid.point.s[1], solid.point.s[3]};
  const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  solid.point.rotation = quarter;
  solid.step({0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], before[1], 1e-9);
  EXPECT_NEAR(solid.point.s[1], before[0], 1e-9);
  EXPECT_NEAR(solid.point.s[3], -before[2], 1e-9);
}

TEST(BlatzKo, DoesNotDependOnTheRate) {
  const Prepared law = rubber();
  Solid<double> slow(law), fast(law);
  slow.steps(100, {0.3, -0.1, -0.1, 0.2, 0, 0.1}, 10.0);
  fast.steps(100, {0.3, -0.1, -0.1, 0.2, 0, 0.1}, 1e-3);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(slow.point.s[k], fast.point.s[k]);
}

TEST(BlatzKo, RefusesWhatIsNotSupported) {
  EXPECT_THROW(prepare({}, material(7, {{"G", 0.0}})), Error);
  EXPECT_THROW(prepare({}, material(7, {{"G", 1.0}, {"REF", 2.0}})), Error);
  EXPECT_TRUE(supports(7, &Supports::solid));
  EXPECT_FALSE(supports(7, &Supports::shell));
}

}  // namespace
}  // namespace crumple::materials
