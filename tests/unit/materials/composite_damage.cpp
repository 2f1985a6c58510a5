// MAT_022 and MAT_054/055: each mode of failure at its strength, loading and unloading.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kXt = 2.0, kXc = 1.5, kYt = 0.05, kYc = 0.2, kSc = 0.1;

/// Without Poisson's ratio, and so without a change of thickness.
model::Material composite(int law, Fields fields = {}) {
  return with_fields(lamina(law, {{"PRBA", 0.0}, {"EC", 0.0}}), fields);
}

struct State {
  double a, b, ab;
  bool failed;
};

/// Strains a, b, ab in many steps, from where the point is.
State pull(Shell<double>& shell, double a, double b, double ab, int count = 4000) {
  shell.steps(count, {a, b, 0, ab, 0, 0});
  const auto& s = shell.point.s;
  return {s[0], s[1], s[3], shell.point.failed};
}
State pulled(const model::Material& m, double a, double b, double ab) {
  const Prepared law = prepare({}, m);
  Shell<double> shell(law);
  return pull(shell, a, b, ab);
}

TEST(CompositeDamage, MatrixTears) {
  const double limit = kYt / 10;
  EXPECT_NEAR(pulled(composite(22), 0, 0.99 * limit, 0).b, 0.99 * kYt, 1e-12);
  const Prepared law = prepare({}, composite(22));
  Shell<double> shell(law);
  State s = pull(shell, 1e-3, 1.01 * limit, 1e-3);
  EXPECT_NEAR(s.a, 0.14, 1e-12);
  EXPECT_NEAR(s.b, 0, 1e-15);
  EXPECT_NEAR(s.ab, 0, 1e-15);
  EXPECT_FALSE(s.failed);
  s = pull(shell, 1e-3, -0.01, 1e-2);  // a crack carries nothing, not even pressure
  EXPECT_NEAR(s.a, 0.28, 1e-12);
  EXPECT_NEAR(s.b, 0, 1e-15);
  EXPECT_NEAR(s.ab, 0, 1e-15);
}

TEST(CompositeDamage, ShearAndTensionTearTogether) {
  const double part = std::sqrt(0.5);  // (s_b / YT)^2 + (tau / SC)^2 = 1
  EXPECT_NEAR(pulled(composite(22), 0, 0.99 * part * kYt / 10, 0.99 * part * kSc / 5).ab, 0.99 * part * kSc,
              1e-12);
  EXPECT_NEAR(pulled(composite(22), 0, 1.01 * part * kYt / 10, 1.01 * part * kSc / 5).ab, 0, 1e-15);
}

TEST(CompositeDamage, MatrixIsCrushedAtYc) {
  EXPECT_NEAR(pulled(composite(22), 0, -0.99 * kYc / 10, 0).b, -0.99 * kYc, 1e-12);
  const Prepared law = prepare({}, composite(22));
  Shell<double> shell(law);
  pull(shell, 0, -1.01 * kYc / 10, 0);
  const State s = pull(shell, 0, -1e-3, 1e-3);
  EXPECT_NEAR(s.b, 0, 1e-15);
  EXPECT_NEAR(s.ab, 5e-3, 1e-12) << "GAB stays";
}

TEST(CompositeDamage, FibresBreak) {
  EXPECT_FALSE(pulled(composite(22), 0.99 * kXt / 140, 0, 0).failed);
  const Prepared law = prepare({}, composite(22));
  Shell<double> shell(law);
  EXPECT_NEAR(pull(shell, 0.9999 * kXt / 140, 0, 0).a, 0.9999 * kXt, 1e-9);
  const State s = pull(shell, 0.001 * kXt / 140, 0, 0, 1);
  EXPECT_TRUE(s.failed);
  EXPECT_EQ(s.a, 0);
  EXPECT_FALSE(pulled(composite(22), -2 * kXt / 140, 0, 0).failed) << "no mode in compression";
}

// Poisson's ratio goes with the matrix: s_a = EA e_a.
TEST(CompositeDamage, PoissonsRatioEndsWithTheMatrix) {
  const Prepared law = prepare({}, composite(22, {{"PRBA", 0.02}}));
  Shell<double> shell(law);
  const State s = pull(shell, 2e-3, 0.01, 0);
  EXPECT_NEAR(s.a, 140 * 2e-3, 1e-12);
  EXPECT_NEAR(s.b, 0, 1e-15);
}

// gamma = tau / G + alpha tau^3, reversible.
TEST(CompositeDamage, ShearSoftens) {
  const double alpha = 5, tau = 0.08, strain = tau / 5 + alpha * tau * tau * tau;
  for (const int law : {22, 54}) {
    const Prepared prepared = prepare({}, composite(law, {{"ALPH", alpha}}));
    Shell<double> shell(prepared);
    EXPECT_NEAR(pull(shell, 0, 0, strain, 5).ab, tau, 1e-12) << law;
    EXPECT_NEAR(pull(shell, 0, 0, -strain, 3).ab, 0, 1e-12) << law;
    EXPECT_NEAR(pull(shell, 0, 0, -strain, 1).ab, -tau, 1e-12) << law;
  }
}

TEST(CompositeDamage, AxesTurnStrengths) {
  const Prepared law = prepare({}, composite(22));
  Shell<double> shell(law);
  shell.point.history.store(0, -1.0);  // a quarter turn: x is b
  shell.point.history.store(1, 1.0);
  EXPECT_NEAR(pull(shell, 0.99 * kYt / 10, 0, 0).a, 0.99 * kYt, 1e-12);
  EXPECT_NEAR(pull(shell, 0.02 * kYt / 10, 0, 0).a, 0, 1e-15);
}

TEST(CompositeDamage, NeedsStrengths) {
  for (const char* field : {"XT", "YT", "YC", "SC"})
    EXPECT_THROW(prepare({}, composite(22, {{field, 0.0}})), Error);
  for (const char* field : {"XT", "XC", "YT", "YC", "SC"})
    EXPECT_THROW(prepare({}, composite(54, {{field, 0.0}})), Error);
}

// Ideally plastic at the strength, elastic on the way back.
TEST(EnhancedCompositeDamage, MatrixYieldsAndUnloads) {
  const Prepared law = prepare({}, composite(54));
  Shell<double> shell(law);
  EXPECT_NEAR(pull(shell, 0, 3 * kYt / 10, 0).b, kYt, 1e-12);
  EXPECT_NEAR(pull(shell, 0, -kYt / 10, 0).b, 0, 1e-12);
  EXPECT_NEAR(pull(shell, 0, -kYc / 10, 0).b, -kYc, 1e-9);
  EXPECT_NEAR(pull(shell, 0, -kYc / 10, 0).b, -kYc, 1e-9);
}

// Poisson's ratio ends while the matrix yields: s_a grows by EA.
TEST(EnhancedCompositeDamage, FibresFollowTheirModulusWhileTheMatrixYields) {
  const Prepared law = prepare({}, composite(54, {{"PRBA", 0.02}}));
  Shell<double> shell(law);
  const double before = pull(shell, 0, 2 * kYt / 10, 0).a;
  EXPECT_NEAR(pull(shell, 1e-3, 1e-3, 0).a - before, 140 * 1e-3, 1e-12);
}

TEST(EnhancedCompositeDamage, ShearAndTensionStayOnTheEllipse) {
  const State s = pulled(composite(54), 0, 0.02, 0.04);
  EXPECT_NEAR(s.b * s.b / (kYt * kYt) + s.ab * s.ab / (kSc * kSc), 1, 1e-12);
}

TEST(EnhancedCompositeDamage, TsaiWu) {
  const model::Material m = composite(54, {{"CRIT", 55.0}});
  EXPECT_NEAR(pulled(m, 0, 0.02, 0).b, kYt, 1e-12);
  EXPECT_NEAR(pulled(m, 0, -0.05, 0).b, -kYc, 1e-12);
  EXPECT_NEAR(pulled(m, 0, 0, 0.05).ab, kSc, 1e-12);
  const State s = pulled(m, 0, 0.01, -0.03);
  EXPECT_NEAR(s.b * s.b / (kYc * kYt) + s.ab * s.ab / (kSc * kSc) + (kYc - kYt) * s.b / (kYc * kYt), 1,
              1e-12);
  EXPECT_THROW(prepare({}, composite(54, {{"CRIT", 55.0}, {"DFAILM", 0.1}})), Error);
}

TEST(EnhancedCompositeDamage, FibresBreakAtTheirStrengthOrYieldUpToALimit) {
  EXPECT_FALSE(pulled(composite(54), 0.99 * kXt / 140, 0, 0).failed);
  const Prepared brittle = prepare({}, composite(54));
  Shell<double> first(brittle);
  pull(first, 0.9999 * kXt / 140, 0, 0);
  EXPECT_TRUE(pull(first, 0.001 * kXt / 140, 0, 0, 1).failed);
  EXPECT_EQ(first.point.s[0], 0);

  const Prepared plastic = prepare({}, composite(54, {{"DFAILT", 0.03}}));
  Shell<double> second(plastic);
  State s = pull(second, 0.029, 0, 0);
  EXPECT_NEAR(s.a, kXt, 1e-12);
  EXPECT_FALSE(s.failed);
  s = pull(second, 0.0011, 0, 0, 1);
  EXPECT_TRUE(s.failed);
  EXPECT_EQ(s.a, 0);
}

TEST(EnhancedCompositeDamage, ShearWeakensFibresByBeta) {
  const model::Material m = composite(54, {{"DFAILT", 1.0}, {"BETA", 1.0}});
  const State s = pulled(m, 0.02, 0, 0.5 * kSc / 5);
  EXPECT_NEAR(s.a, kXt * std::sqrt(0.75), 1e-9);
}

TEST(EnhancedCompositeDamage, CompressedFibres) {
  EXPECT_NEAR(pulled(composite(54), -0.03, 0, 0).a, -kXc, 1e-12);
  const Prepared law = prepare({}, composite(54, {{"DFAILC", -0.02}}));
  Shell<double> shell(law);
  EXPECT_FALSE(pull(shell, -0.0199, 0, 0).failed);
  EXPECT_TRUE(pull(shell, -0.0002, 0, 0, 1).failed);
}

// After the matrix is crushed: YCFAC YC and FBRT XT.
TEST(EnhancedCompositeDamage, CrushedMatrixWeakensFibres) {
  const Prepared law = prepare({}, composite(54, {{"DFAILT", 1.0}, {"FBRT", 0.5}}));
  Shell<double> shell(law);
  pull(shell, 0, -0.05, 0);
  EXPECT_NEAR(pull(shell, -0.03, 0, 0).a, -2 * kYc, 1e-12);
  EXPECT_NEAR(pull(shell, 0.06, 0, 0).a, 0.5 * kXt, 1e-12);
}

TEST(EnhancedCompositeDamage, OtherLimitsOfStrain) {
  struct Case {
    const char* field;
    double value, a, b, ab;
  };
  for (const Case& c : {Case{"DFAILM", 0.02, 0, 0.02, 0}, Case{"DFAILM", 0.02, 0, -0.02, 0},
                        Case{"DFAILS", 0.02, 0, 0, 0.04}, Case{"EFS", 0.02, 0, 0.02 * std::sqrt(0.75), 0}}) {
    const Prepared law = prepare({}, composite(54, {{c.field, c.value}}));
    Shell<double> shell(law);
    EXPECT_FALSE(pull(shell, 0.99 * c.a, 0.99 * c.b, 0.99 * c.ab).failed) << c.field;
    EXPECT_TRUE(pull(shell, 0.02 * c.a, 0.02 * c.b, 0.02 * c.ab, 1).failed) << c.field;
  }
}

// A closed path in strain never gives energy.
TEST(EnhancedCompositeDamage, DissipatesInCycles) {
  const Prepared law = prepare({}, composite(54, {{"DFAILT", 1.0}, {"PRBA", 0.02}, {"ALPH", 3.0}}));
  Shell<double> shell(law);
  double work = 0, before[6] = {};
  const int n = 20000;
  for (int k = 0; k < n; ++k) {
    const double t0 = 2 * M_PI * k / n, t1 = 2 * M_PI * (k + 1) / n;
    const auto path = [](double t, double size) { return size * std::sin(t); };
    const double d[6] = {path(3 * t1, 0.02) - path(3 * t0, 0.02),
                         path(2 * t1, 0.03) - path(2 * t0, 0.03),
                         0,
                         path(5 * t1, 0.05) - path(5 * t0, 0.05),
                         0,
                         0};
    shell.step(d);
    for (int i : {0, 1, 3}) {
      work += 0.5 * (before[i] + shell.point.s[i]) * d[i];
      before[i] = shell.point.s[i];
    }
  }
  EXPECT_GT(work, 0.01);
}

}  // namespace
}  // namespace crumple::materials
