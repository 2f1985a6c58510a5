// MAT_003 against closed forms: monotone and cyclic straining with isotropic and kinematic hardening.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kG = kE / (2 * (1 + kNu)), kK = kE / (3 * (1 - 2 * kNu));
constexpr double kYield = 0.4, kTangent = 10, kModulus = kE * kTangent / (kE - kTangent);

Prepared bilinear(double beta, std::initializer_list<std::pair<const std::string, double>> more = {}) {
  model::Material m = material(3, {{"SIGY", kYield}, {"ETAN", kTangent}, {"BETA", beta}});
  for (const auto& [name, value] : more) m.fields[name] = value;
  return prepare({}, m);
}

class Beta : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Hardening, Beta, testing::Values(0.0, 0.3, 1.0));

TEST_P(Beta, UniaxialFibreFollowsTheTangentModulus) {
  const Prepared law = bilinear(GetParam());
  for (const int count : {1, 7, 100}) {
    Beam<double> p(law);
    p.steps(count, {0.02, 0, 0});
    const double first = kYield / kE;
    EXPECT_NEAR(p.point.s[0], kYield + kTangent * (0.02 - first), 1e-12) << count;
    EXPECT_NEAR(p.point.plastic_strain, 0.02 - p.point.s[0] / kE, 1e-14) << count;
  }
}

TEST_P(Beta, UniaxialStrainInASolid) {
  const Prepared law = bilinear(GetParam());
  Solid<double> p(law);
  const double strain = 0.03;
  p.steps(13, {strain, 0, 0, 0, 0, 0});
  // q / (3 G) + dp = (2/3) strain, q = yield + E_p dp
  const double dp = (2 * strain / 3 - kYield / (3 * kG)) / (1 + kModulus / (3 * kG));
  const double q = kYield + kModulus * dp;
  EXPECT_NEAR(p.point.plastic_strain, dp, 1e-14);
  EXPECT_NEAR(p.point.s[0], kK * strain + 2 * q / 3, 1e-12);
  EXPECT_NEAR(p.point.s[1], kK * strain - q / 3, 1e-12);
}

TEST_P(Beta, ShearInEveryKindOfPoint) {
  const Prepared law = bilinear(GetParam());
  const double gamma = 0.02;
  // tau / G + sqrt(3) dp = gamma, sqrt(3) tau = yield + E_p dp
  const double root = std::sqrt(3.0);
  const double dp = (gamma - kYield / (root * kG)) / (root + kModulus / (root * kG));
  const double tau = (kYield + kModulus * dp) / root;
  for (int k = 3; k < 6; ++k) {
    double d[6] = {};
    d[k] = gamma;
    Solid<double> solid(law);
    Shell<double> shell(law);
    solid.steps(3, d);
    shell.steps(3, d);
    EXPECT_NEAR(solid.point.s[k], tau, 1e-12);
    EXPECT_NEAR(shell.point.s[k], tau, 1e-12);
    EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-13);
  }
  Beam<double> beam(law);
  beam.steps(3, {0, 0, gamma});
  EXPECT_NEAR(beam.point.s[2], tau, 1e-12);
}

TEST_P(Beta, EqualBiaxialPlaneStress) {
  const Prepared law = bilinear(GetParam());
  Shell<double> p(law);
  const double strain = 0.01;
  double thickness = 0;
  for (int k = 0; k < 20; ++k) {
    p.step({strain / 20, strain / 20, 0, 0, 0, 0});
    thickness += p.point.d[2];
  }
  // s (1 - nu) / E + dp / 2 = strain, s = yield + E_p dp
  const double dp = (strain - kYield * (1 - kNu) / kE) / (0.5 + kModulus * (1 - kNu) / kE);
  const double s = kYield + kModulus * dp;
  EXPECT_NEAR(p.point.s[0], s, 1e-12);
  EXPECT_NEAR(p.point.s[1], s, 1e-12);
  EXPECT_NEAR(thickness, -2 * kNu * s / kE - dp, 1e-13);
}

/// Closed-form bilinear loop of a fibre: yields again after `elastic` of stress change.
TEST_P(Beta, ReversedFibreYieldsWhereBetaSays) {
  const double beta = GetParam();
  const Prepared law = bilinear(beta);
  Beam<double> p(law);
  p.steps(10, {0.02, 0, 0});
  const double top = p.point.s[0], plastic = p.point.plastic_strain;
  const double range = 2 * (kYield + beta * kModulus * plastic);  // of stress until it yields again
  p.steps(5, {-0.999 * range / kE, 0, 0});
  EXPECT_DOUBLE_EQ(p.point.plastic_strain, plastic);
  EXPECT_NEAR(p.point.s[0], top - 0.999 * range, 1e-12);
  p.steps(5, {-0.001 * range / kE - 0.01, 0, 0});
  EXPECT_NEAR(p.point.s[0], top - range - kTangent * 0.01, 1e-12);
  EXPECT_NEAR(p.point.plastic_strain, plastic + 0.01 * (1 - kTangent / kE), 1e-13);
}

TEST_P(Beta, ReversedShearOfSolidAndShellAgreesWithTheFibre) {
  const Prepared law = bilinear(GetParam());
  Beam<double> beam(law);
  Solid<double> solid(law);
  Shell<double> shell(law);
  for (const double gamma : {0.02, -0.05, 0.03, -0.01}) {
    beam.steps(9, {0, gamma, 0});
    solid.steps(9, {0, 0, 0, gamma, 0, 0});
    shell.steps(9, {0, 0, 0, gamma, 0, 0});
    EXPECT_NEAR(solid.point.s[3], beam.point.s[1], 1e-12);
    EXPECT_NEAR(shell.point.s[3], beam.point.s[1], 1e-12);
  }
}

TEST(PlasticKinematic, ScaledYieldUnderCowperAndSymonds) {
  const Prepared law = bilinear(1, {{"SRC", 40.0}, {"SRP", 5.0}});
  Beam<double> p(law);
  const double strain = 0.02, rate = 12 * std::sqrt(1.5);  // isochoric: sqrt(1 + 1/4 + 1/4)
  p.steps(10, {strain, 0, 0}, strain / 12);
  const double factor = 1 + std::pow(rate / 40, 0.2);
  const double dp = (strain - factor * kYield / kE) / (1 + factor * kModulus / kE);
  EXPECT_NEAR(p.point.s[0], factor * (kYield + kModulus * dp), 1e-12);
}

TEST(PlasticKinematic, SolidUsesTheTotalRate) {
  const Prepared law = bilinear(1, {{"SRC", 40.0}, {"SRP", 5.0}});
  Solid<double> p(law);
  p.steps(10, {0, 0, 0, 0.02, 0, 0}, 0.02 / 12);
  const double factor = 1 + std::pow(12 / std::sqrt(2.0) / 40, 0.2);
  const double root = std::sqrt(3.0);
  const double dp = (0.02 - factor * kYield / (root * kG)) / (root + factor * kModulus / (root * kG));
  EXPECT_NEAR(p.point.s[3], factor * (kYield + kModulus * dp) / root, 1e-12);
}

TEST(PlasticKinematic, ViscoplasticReachesItsSteadyState) {
  const Prepared law = bilinear(1, {{"SRC", 40.0}, {"SRP", 5.0}, {"VP", 1.0}});
  Beam<double> p(law);
  p.steps(2000, {0.1, 0, 0}, 0.1 / 12);
  const double before = p.point.plastic_strain, s_before = p.point.s[0];
  p.step({1e-4, 0, 0}, 1e-4 / 12);
  const double rate = (p.point.plastic_strain - before) / (1e-4 / 12);
  const double flow = (kYield + kModulus * p.point.plastic_strain) * (1 + std::pow(rate / 40, 0.2));
  EXPECT_NEAR(p.point.s[0], flow, 1e-10 * flow);
  EXPECT_NEAR(p.point.s[0] - s_before, kE * (1e-4 - (p.point.plastic_strain - before)), 1e-12);
}

TEST(PlasticKinematic, FailsBeyondItsStrainForGood) {
  const Prepared law = bilinear(0.5, {{"FS", 0.01}});
  Beam<double> beam(law);
  Solid<double> solid(law);
  Shell<double> shell(law);
  beam.steps(10, {0.011, 0, 0});
  EXPECT_FALSE(beam.point.failed);
  EXPECT_GT(beam.point.s[0], kYield);
  for (int k = 0; k < 3; ++k) {
    beam.steps(10, {0.02, 0, 0});
    solid.steps(10, {0.04, 0, 0, 0.03, 0, 0});
    shell.steps(10, {0.04, 0, 0, 0.03, 0, 0});
    const double strain = beam.point.plastic_strain;
    EXPECT_TRUE(beam.point.failed && solid.point.failed && shell.point.failed);
    for (const double s : beam.point.s) EXPECT_EQ(s, 0);
    for (const double s : solid.point.s) EXPECT_EQ(s, 0);
    for (const double s : shell.point.s) EXPECT_EQ(s, 0);
    beam.step({0.01, 0, 0});
    EXPECT_EQ(beam.point.plastic_strain, strain);
  }
}

/// a = R a R^T, written out with full tensors.
void turn(const double (&r)[3][3], double (&a)[6]) {
  const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  double turned[6] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) turned[at[i][j]] += r[i][k] * a[at[k][l]] * r[j][l];
  for (int i = 0; i < 6; ++i) a[i] = turned[i];
}

TEST(PlasticKinematic, BackStressTurnsWithTheBody) {
  // A path seen from a frame that is turned half-way must give the stresses of the unturned path, turned.
  const Prepared law = bilinear(0.2);
  const double c = std::cos(0.7), s = std::sin(0.7), k = std::cos(-1.1), m = std::sin(-1.1);
  const double r[3][3] = {{c, -s, 0}, {s * k, c * k, -m}, {s * m, c * m, k}};
  Solid<double> turned(law), still(law);
  const double first[6] = {0.01, -0.005, -0.004, 0.004, 0.01, -0.006};
  turned.steps(5, first);
  still.steps(5, first);
  double then[6] = {-0.02, 0.01, 0.01, 0.006, 0, 0.01};  // tensor components
  const double still_step[6] = {then[0], then[1], then[2], 2 * then[3], 2 * then[4], 2 * then[5]};
  turn(r, then);
  const double turned_step[6] = {then[0], then[1], then[2], 2 * then[3], 2 * then[4], 2 * then[5]};
  turn(r, turned.point.s);  // the element's part
  turned.point.rotation = r;
  turned.step(turned_step);
  turned.point.rotation = nullptr;
  turned.step(turned_step);
  still.step(still_step);
  still.step(still_step);
  turn(r, still.point.s);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(turned.point.s[i], still.point.s[i], 1e-13) << i;
  EXPECT_NEAR(turned.point.plastic_strain, still.point.plastic_strain, 1e-14);
}

}  // namespace
}  // namespace crumple::materials
