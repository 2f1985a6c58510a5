// MAT_013 against its closed form: pressure of the volume, shear, failure by strain and by tension.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kG = 80, kK = 170, kYield = 0.3, kHardening = 2;

double pressure(const SolidPoint<double>& p) { return -(p.s[0] + p.s[1] + p.s[2]) / 3; }

TEST(IsotropicElasticFailure, HasThePressureOfTheVolume) {
  const Prepared law = prepare({}, elastic_failure({}));
  EXPECT_NEAR(law.elastic.bulk, kK, 1e-9);
  EXPECT_NEAR(law.elastic.shear, kG, 1e-9);
  for (const double e : {-0.05, -1e-4, 1e-3}) {
    Solid<double> solid(law);
    solid.steps(20, {e, e, e, 0, 0, 0});
    EXPECT_NEAR(pressure(solid.point), kK * (1 / solid.point.volume_ratio - 1), 1e-12);
    EXPECT_NEAR(solid.point.volume_ratio, std::exp(3 * e), 1e-6);
    EXPECT_NEAR(mises(solid.point.s), 0, 1e-12);
  }
}

TEST(IsotropicElasticFailure, HardensAndUnloadsInShear) {
  const Prepared law = prepare({}, elastic_failure({}));
  const double root = std::sqrt(3.0), p = 0.04, s = kYield + kHardening * p;
  const double gamma = root * p + s / (root * kG);
  for (const int count : {1, 10}) {
    Solid<double> solid(law);
    solid.steps(count, {0, 0, 0, gamma, 0, 0});
    EXPECT_NEAR(solid.point.s[3], s / root, 1e-12);
    EXPECT_NEAR(solid.point.plastic_strain, p, 1e-12);
    solid.step({0, 0, 0, -2 * s / (root * kG), 0, 0});
    EXPECT_NEAR(solid.point.s[3], -s / root, 1e-12);
    EXPECT_NEAR(solid.point.plastic_strain, p, 1e-12);
  }
}

TEST(IsotropicElasticFailure, APointThatHasFailedStaysAsAFluid) {
  const Prepared law = prepare({}, elastic_failure({{"REM", 1.0}}));
  Solid<double> solid(law);
  solid.steps(100, {0, 0, 0, 0.2, 0, 0});  // to a plastic strain above EPF
  EXPECT_GT(solid.point.plastic_strain, 0.1);
  EXPECT_FALSE(solid.point.failed);
  EXPECT_EQ(solid.point.s[3], 0);
  solid.step({-0.01, 0.0, 0.0, 0.01, 0, 0});
  EXPECT_NEAR(pressure(solid.point), kK * (1 / solid.point.volume_ratio - 1), 1e-12);
  EXPECT_GT(pressure(solid.point), 1.0);
  EXPECT_NEAR(mises(solid.point.s), 0, 1e-12);
  solid.step({0.02, 0, 0, 0, 0, 0});
  EXPECT_EQ(pressure(solid.point), 0);
}

TEST(IsotropicElasticFailure, FailsInTensionAndStaysFailed) {
  for (const bool kept : {false, true}) {
    const Prepared law = prepare({}, elastic_failure({{"PRF", -0.5}, {"REM", kept ? 1.0 : 0.0}}));
    Solid<double> solid(law);
    const double e = 0.5 / kK / 3;
    solid.step({0.9 * e, 0.9 * e, 0.9 * e, 0, 0, 0});
    EXPECT_NEAR(pressure(solid.point), -0.45, 1e-3);
    solid.step({0.3 * e, 0.3 * e, 0.3 * e, 0, 0, 0});
    for (const double s : solid.point.s) EXPECT_EQ(s, 0);
    EXPECT_EQ(solid.point.failed, !kept);
    solid.step({-0.01, -0.01, -0.01, 0, 0, 0});
    EXPECT_EQ(solid.point.failed, !kept);
    EXPECT_EQ(pressure(solid.point) > 1, kept);
  }
}

TEST(IsotropicElasticFailure, Refuses) {
  for (const auto& [field, value] :
       {std::pair{"G", 0.0}, {"BULK", 0.0}, {"SIGY", 0.0}, {"ETAN", -1.0}, {"EPF", 0.0}, {"PRF", 1.0}})
    EXPECT_THROW(prepare({}, elastic_failure({{field, value}})), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
