// *MAT_ADD_EROSION: every criterion against the step in which its closed form is met, and what fails stays
// so.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kG = kE / 2.6, kBulk = kE / 1.2, kStep = 1e-5;

/// Elastic, unless fields say otherwise, with criteria.
Prepared prepared(std::initializer_list<std::pair<const std::string, double>> criteria, int law = 1,
                  std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(law, fields);
  m.fields["EROSION.EXCL"] = 0;
  for (const auto& [name, value] : criteria) m.fields["EROSION." + name] = value;
  return prepare({}, m);
}

/// Strain along `d` at which the point fails, 1 if it does not below 0.02.
template <class Point, int N>
double strain_at_failure(const Prepared& law, const double (&d)[N]) {
  Point p(law);
  double step[N];
  for (int i = 0; i < N; ++i) step[i] = kStep * d[i];
  for (int k = 1; k <= 2000; ++k) {
    p.step(step, 1e-3);
    if (!p.point.failed) continue;
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
    return k * kStep;
  }
  return 1;
}

double solid(const Prepared& law, const double (&d)[6]) { return strain_at_failure<Solid<double>>(law, d); }
double shell(const Prepared& law, const double (&d)[6]) { return strain_at_failure<Shell<double>>(law, d); }
double beam(const Prepared& law, const double (&d)[3]) { return strain_at_failure<Beam<double>>(law, d); }

/// The step after `strain`.
void expect_after(double failure, double strain) {
  EXPECT_GT(failure, strain);
  EXPECT_LE(failure, strain + 1.001 * kStep);
}

TEST(AddErosion, Pressure) {
  expect_after(solid(prepared({{"MXPRES", 0.5}}), {-1, -1, -1, 0, 0, 0}), 0.5 / (3 * kBulk));
  expect_after(solid(prepared({{"MNPRES", -0.5}}), {1, 1, 1, 0, 0, 0}), 0.5 / (3 * kBulk));
  EXPECT_EQ(solid(prepared({{"MXPRES", 0.5}}), {1, 1, 1, 0, 0, 0}), 1);
}

TEST(AddErosion, PrincipalAndEquivalentStress) {
  // Shear g: s1 = G g, q = sqrt(3) G g; plane stress: s = E e.
  expect_after(solid(prepared({{"SIGP1", 0.4}}), {0, 0, 0, 0, 1, 0}), 0.4 / kG);
  expect_after(solid(prepared({{"SIGVM", 0.4}}), {0, 0, 0, 1, 0, 0}), 0.4 / (std::sqrt(3.0) * kG));
  expect_after(shell(prepared({{"SIGP1", 0.4}}), {1, -kNu, 0, 0, 0, 0}), 0.4 / kE);
  expect_after(shell(prepared({{"SIGVM", 0.4}}), {-1, kNu, 0, 0, 0, 0}), 0.4 / kE);
  expect_after(beam(prepared({{"SIGVM", 0.4}}), {0, 0, 1}), 0.4 / (std::sqrt(3.0) * kG));
  EXPECT_EQ(shell(prepared({{"SIGP1", 0.4}}), {-1, kNu, 0, 0, 0, 0}), 1);
}

TEST(AddErosion, PrincipalStrains) {
  expect_after(solid(prepared({{"MXEPS", 0.01001}}), {0, 1, -1, 0, 0, 0}), 0.01001);
  expect_after(solid(prepared({{"MNEPS", -0.01001}}), {0, 0, -1, 0, 0, 0}), 0.01001);
  // Shears are engineering's: tensor's half.
  expect_after(solid(prepared({{"MXEPS", 0.005005}}), {0, 0, 0, 0, 0, 1}), 0.01001);
  expect_after(solid(prepared({{"EPSSH", 0.005005}}), {0, 0, 0, 0, 1, 0}), 0.01001);
  expect_after(shell(prepared({{"EPSSH", 0.01001}}), {1, -1, 0, 0, 0, 0}), 0.01001);
  // The thickness strain takes part: equal biaxial tension thins by 2 nu / (1 - nu).
  expect_after(shell(prepared({{"MNEPS", -0.005}}), {1, 1, 0, 0, 0, 0}), 0.005 * (1 - kNu) / (2 * kNu));
}

TEST(AddErosion, EffectiveAndVolumetricStrain) {
  // Isochoric uniaxial strain e: effective e; shear g: g / sqrt(3).
  expect_after(solid(prepared({{"EFFEPS", 0.01001}}), {1, -0.5, -0.5, 0, 0, 0}), 0.01001);
  expect_after(solid(prepared({{"EFFEPS", 0.005}}), {0, 0, 0, 1, 0, 0}), 0.005 * std::sqrt(3.0));
  expect_after(solid(prepared({{"VOLEPS", 0.015005}}), {1, 1, 1, 0, 0, 0}), 0.015005 / 3);
  expect_after(solid(prepared({{"VOLEPS", -0.015005}}), {-1, -1, -1, 0, 0, 0}), 0.015005 / 3);
  EXPECT_EQ(solid(prepared({{"VOLEPS", -0.015}}), {1, 1, 1, 0, 0, 0}), 1);
}

TEST(AddErosion, NegativeEffepsIsPlasticStrain) {
  const Prepared law = prepared({{"EFFEPS", -0.005}}, 24, {{"SIGY", 0.3}});
  expect_after(beam(law, {1, 0, 0}), 0.005 + 0.3 / kE);
}

TEST(AddErosion, ImpulseOfTheStressAboveTheThreshold) {
  // s = E e grows by 2.1 a time unit; integral of (s - s0)^2 = E^2 r^2 t^3 / 3 after s0 = E r t0.
  const double rate = kStep / 1e-3, threshold = 0.4, limit = 0.5;
  const double time = threshold / (kE * rate) + std::cbrt(3 * limit / (kE * kE * rate * rate));
  const double strain = shell(prepared({{"SIGTH", threshold}, {"IMPULSE", limit}}), {1, -kNu, 0, 0, 0, 0});
  EXPECT_NEAR(strain / rate, time, 2e-3);
}

TEST(AddErosion, NcsCriteriaMustHold) {
  const double both = solid(prepared({{"SIGP1", 0.2}, {"MXEPS", 0.01001}, {"NCS", 2.0}}), {1, 0, 0, 0, 0, 0});
  expect_after(both, 0.01001);
  const double one = solid(prepared({{"SIGP1", 0.2}, {"MXEPS", 0.01001}, {"NCS", 1.0}}), {1, 0, 0, 0, 0, 0});
  EXPECT_LT(one, 0.002);
}

TEST(AddErosion, AnotherExclusionNumberMakesZeroALimit) {
  const std::initializer_list<std::pair<const std::string, double>> fields = {
      {"EXCL", 1234.0},  {"MXPRES", 0.0},   {"MNEPS", 0.0},      {"EFFEPS", 0.0},
      {"VOLEPS", 0.0},   {"MNPRES", 0.0},   {"SIGP1", 1234.0},   {"SIGVM", 1234.0},
      {"MXEPS", 1234.0}, {"EPSSH", 1234.0}, {"IMPULSE", 1234.0}, {"FAILTM", 1234.0}};
  expect_after(solid(prepared(fields), {1, 1, 1, 0, 0, 0}), 0);  // no tension at all
  EXPECT_EQ(solid(prepared(fields), {-1, -1, -1, 0, 0, 0}), 1);
  EXPECT_EQ(prepared(fields).failure_time, 0);
}

TEST(AddErosion, FailedPointsStayFailed) {
  const Prepared law = prepared({{"SIGP1", 0.2}}, 3, {{"SIGY", 0.15}, {"ETAN", 50.0}, {"BETA", 0.5}});
  Shell<double> p(law);
  p.steps(100, {0.02, 0, 0, 0, 0, 0});
  ASSERT_TRUE(p.point.failed);
  const double plastic = p.point.plastic_strain;
  EXPECT_GT(plastic, 0);
  for (int k = 0; k < 100; ++k) {
    p.step({-3e-4, 1e-4, 0, 2e-4, 0, 0});
    EXPECT_TRUE(p.point.failed);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
    EXPECT_EQ(p.point.d[2], 0);
  }
  EXPECT_EQ(p.point.plastic_strain, plastic);
}

TEST(AddErosion, LeavesTheLawAsItIs) {
  const Prepared bare = prepare({}, material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}}));
  const Prepared law =
      prepared({{"SIGP1", 5.0}, {"MXEPS", 0.9}}, 3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}});
  EXPECT_EQ(law.n_history, bare.n_history + kErosionVariables);
  Shell<double> a(bare), b(law);
  Beam<double> e(bare), f(law);
  for (int k = 0; k < 60; ++k) {
    const double sign = k % 20 < 10 ? 1e-3 : -1e-3;
    a.step({sign, 0.2 * sign, 0, 0.5 * sign, 0, 1e-4}), b.step({sign, 0.2 * sign, 0, 0.5 * sign, 0, 1e-4});
    e.step({sign, 1e-4, 0}), f.step({sign, 1e-4, 0});
    for (int i = 0; i < 6; ++i) EXPECT_EQ(a.point.s[i], b.point.s[i]);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(e.point.s[i], f.point.s[i]);
  }
}

TEST(AddErosion, StrainTurnsWithTheElement) {
  // Stretched along x, turned by 90 degrees about z, then stretched along y: the same fibre.
  const Prepared law = prepared({{"MXEPS", 0.015005}});
  Solid<double> p(law);
  p.step({0.01, 0, 0, 0, 0, 0});
  const double turn[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  p.point.rotation = turn;
  p.step({0, 0.005, 0, 0, 0, 0});
  EXPECT_FALSE(p.point.failed);
  p.point.rotation = nullptr;
  p.step({0, 1e-5, 0, 0, 0, 0});
  EXPECT_TRUE(p.point.failed);
}

TEST(AddErosion, PointsToFailAndTime) {
  const auto points = [](double numfip) {
    const Prepared law = prepared({{"NUMFIP", numfip}, {"FAILTM", -2.0}});
    EXPECT_EQ(law.failure_time, -2);   // not in dynamic relaxation
    EXPECT_EQ(law.points_to_fail, 0);  // is the law's
    return law.points_to_erode;
  };
  EXPECT_EQ(points(1), 1);
  EXPECT_EQ(points(3), 3);
  EXPECT_EQ(points(-60), -60);
  EXPECT_EQ(points(-103), 3);
}

TEST(AddErosion, LimitsMayDependOnTheStrainRate) {
  // Isochoric uniaxial strain at a rate of kStep / 1e-3 = 0.01: the effective strain's rate is the same.
  model::Model m;
  m.curves = {curve(7, {0, 0.02}, {0.004, 0.006}), curve(8, {0, 0.005}, {0.2, 0.4})};
  const auto of = [&](const char* field, double id) {
    model::Material with = material(1, {{"EROSION.EXCL", 0.0}});
    with.fields[std::string("EROSION.") + field] = id;
    return prepare(m, with);
  };
  expect_after(solid(of("MXEPS", -7), {1, -0.5, -0.5, 0, 0, 0}), 0.005);
  expect_after(solid(of("SIGVM", -8), {1, -0.5, -0.5, 0, 0, 0}), 0.4 / (3 * kG));  // beyond the last rate
  EXPECT_THROW(of("SIGVM", -9), Error);
}

TEST(AddErosion, ThinningIsThatOfShells) {
  const Prepared law = prepared({{"EPSTHIN", 0.005}});
  expect_after(shell(law, {1, 1, 0, 0, 0, 0}), 0.005 * (1 - kNu) / (2 * kNu));
  EXPECT_EQ(solid(law, {1, -0.5, -0.5, 0, 0, 0}), 1);
}

TEST(AddErosion, RefusesWhatIsNotThere) {
  for (const char* field : {"SIGVM", "MXEPS", "EPSSH", "EPSTHIN"})
    EXPECT_THROW(prepared({{field, -7.0}}), Error) << field;
  for (const int law : {9, 20}) EXPECT_THROW(prepared({{"SIGVM", 1.0}}, law), Error);
}

TEST(PrincipalRange, EqualsTheRootsOfTheCharacteristicPolynomial) {
  const double cases[][8] = {{3, 1, 2, 0, 0, 0, 3, 1},
                             {0, 0, 0, 1, 0, 0, 1, -1},
                             {0, 0, 0, 1, 1, 1, 2, -1},
                             {-1, 0, 0, 0, 0, 0, 0, -1},
                             {2, 2, 2, 0, 0, 0, 2, 2},
                             {0, 0, 0, 0, 0, 0, 0, 0},
                             {2, 3, 4, 1, 1, 0, 3 + std::sqrt(3.0), 3 - std::sqrt(3.0)}};
  for (const auto& c : cases) {
    const double a[6] = {c[0], c[1], c[2], c[3], c[4], c[5]};
    EXPECT_NEAR(principal_range(a).largest, c[6], 1e-15 * 10);
    EXPECT_NEAR(principal_range(a).smallest, c[7], 1e-15 * 10);
    const float f[6] = {float(a[0]), float(a[1]), float(a[2]), float(a[3]), float(a[4]), float(a[5])};
    EXPECT_NEAR(principal_range(f).largest, c[6], 3e-6);
    EXPECT_NEAR(principal_range(f).smallest, c[7], 3e-6);
  }
}

}  // namespace
}  // namespace crumple::materials
