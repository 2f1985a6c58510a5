// MAT_012: a normal return in solids and beams, scaled stress in shells.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kG = kE / 2.6, kYield = 0.3, kHardening = 5;

Prepared prepared() { return prepare({}, low_cost({{"SIGY", kYield}, {"ETAN", kHardening}})); }

TEST(IsotropicElasticPlastic, ElasticConstantsFromTheModuli) {
  const Prepared law = prepared();
  EXPECT_NEAR(law.elastic.young, kE, 1e-11);
  EXPECT_NEAR(law.elastic.poisson, kNu, 1e-15);
  EXPECT_THROW(prepare({}, low_cost({{"SIGY", 0.0}})), Error);
  EXPECT_THROW(prepare({}, low_cost({{"SIGY", 0.3}, {"ETAN", -1.0}})), Error);
}

TEST(IsotropicElasticPlastic, SolidsAndBeamsHardenByThePlasticModulus) {
  const Prepared law = prepared();
  const double p = 0.02, s = kYield + kHardening * p, root = std::sqrt(3.0);
  for (const int count : {1, 10}) {
    Solid<double> solid(law);
    solid.steps(count, {0, 0, 0, root * p + s / (root * kG), 0, 0});
    EXPECT_NEAR(solid.point.s[3], s / root, 1e-12);
    EXPECT_NEAR(solid.point.plastic_strain, p, 1e-13);
    Beam<double> beam(law);
    beam.steps(count, {p + s / kE, 0, 0});
    EXPECT_NEAR(beam.point.s[0], s, 1e-12);
  }
}

TEST(IsotropicElasticPlastic, ShellsScaleTheTrialStress) {
  const Prepared law = prepared();
  Shell<double> p(law);
  const double e = 0.01, c = kE / (1 - kNu * kNu);
  p.step({e, 0, 0, 0, 0, 0});
  const double x = c * e, y = kNu * x, q = std::sqrt(x * x - x * y + y * y);
  const double dp = (q - kYield) / (3 * kG + kHardening), factor = (kYield + kHardening * dp) / q;
  EXPECT_NEAR(p.point.s[0], factor * x, 1e-13);
  EXPECT_NEAR(p.point.s[1], factor * y, 1e-13);
  EXPECT_NEAR(p.point.plastic_strain, dp, 1e-15);
  EXPECT_NEAR(mises(p.point.s), kYield + kHardening * p.point.plastic_strain, 1e-13);
  const double plastic = (1 - factor) * (x + y) * (1 - kNu) / kE;
  EXPECT_NEAR(p.point.d[2], -plastic - kNu / (1 - kNu) * (e - plastic), 1e-15);
}

TEST(IsotropicElasticPlastic, ShellsInShearAreExact) {
  // All of a pure shear's stress is deviatoric: scaling is the normal return.
  const Prepared law = prepared();
  Shell<double> p(law);
  const double strain = 0.02, s = kYield + kHardening * strain, root = std::sqrt(3.0);
  p.steps(10, {0, 0, 0, root * strain + s / (root * kG), 0, 0});
  EXPECT_NEAR(p.point.s[3], s / root, 1e-12);
}

}  // namespace
}  // namespace crumple::materials
