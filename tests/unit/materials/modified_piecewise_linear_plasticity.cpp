// MAT_123: MAT_024 as long as nothing fails, and when points fail by thinning and by major strain.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kYield = 0.3, kStep = 1e-4;

Prepared prepared(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(123, fields);
  m.fields["SIGY"] = kYield;
  return prepare({}, m);
}

/// Number of steps `d` until the point fails, 2000 if it does not.
int steps_to_failure(Shell<double>& p, const double (&d)[6]) {
  int count = 0;
  while (!p.point.failed && count < 2000) p.step(d), ++count;
  return count;
}

TEST(ModifiedPiecewise, IsMat024UntilItFails) {
  const model::Material old = material(24, {{"SIGY", kYield}, {"ETAN", 2.0}, {"C", 40.0}, {"P", 5.0}});
  model::Material limited = old;
  limited.law = 123, limited.fields["EPSTHIN"] = 0.5, limited.fields["EPSMAJ"] = 0.5;
  const Prepared a = prepare({}, old), b = prepare({}, limited);
  Shell<double> x(a), y(b);
  Solid<double> v(a), w(b);
  for (int k = 0; k < 100; ++k) {
    const double d[6] = {1e-3, -3e-4, k % 7 * 1e-4, 4e-4, 1e-4, -2e-4};
    x.step(d, 1e-3), y.step(d, 1e-3), v.step(d, 1e-3), w.step(d, 1e-3);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(x.point.s[i], y.point.s[i]);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(v.point.s[i], w.point.s[i]);
    EXPECT_EQ(x.point.d[2], y.point.d[2]);
  }
  EXPECT_EQ(x.point.plastic_strain, y.point.plastic_strain);
  EXPECT_FALSE(y.point.failed);
}

TEST(ModifiedPiecewise, FailsByPlasticThinningInBiaxialTension) {
  // Both stresses are the yield stress: e = thinning / 2 + SIGY (1 - nu) / E.
  const Prepared law = prepared({{"EPSTHIN", 0.04}});
  Shell<double> p(law);
  const int count = steps_to_failure(p, {kStep, kStep, 0, 0, 0, 0});
  const double strain = 0.02 + kYield * (1 - kNu) / kE;
  EXPECT_EQ(count, static_cast<int>(strain / kStep) + 1);
  for (const double s : p.point.s) EXPECT_EQ(s, 0);
  EXPECT_EQ(p.point.d[2], 0);
}

TEST(ModifiedPiecewise, ThickeningDoesNotFail) {
  const Prepared law = prepared({{"EPSTHIN", 0.04}});
  Shell<double> p(law);
  EXPECT_EQ(steps_to_failure(p, {-kStep, -kStep, 0, 0, 0, 0}), 2000);
}

TEST(ModifiedPiecewise, FailsByMajorStrainInAnyDirection) {
  const Prepared law = prepared({{"EPSMAJ", 0.0300001}});
  // Along x; pure shear in the axes and at 45 degrees; uniaxial strain at 30 degrees.
  const double c = 0.75, s = 0.25, cs = std::sqrt(3.0) / 4;
  for (const auto& d : {std::array{1.0, -0.5, 0.0}, {0.0, 0.0, 2.0}, {1.0, -1.0, 0.0}, {c, s, 2 * cs}}) {
    Shell<double> p(law);
    EXPECT_EQ(steps_to_failure(p, {d[0] * kStep, d[1] * kStep, 0, d[2] * kStep, 0, 0}), 301);
  }
}

TEST(ModifiedPiecewise, ShearAcrossTheShellIsNotInPlane) {
  const Prepared law = prepared({{"EPSMAJ", 0.03}, {"EPSTHIN", 0.03}});
  Shell<double> p(law);
  EXPECT_EQ(steps_to_failure(p, {0, 0, 0, 0, kStep, kStep}), 2000);
}

TEST(ModifiedPiecewise, StaysFailedWhenTheStrainGoesBack) {
  const Prepared law = prepared({{"EPSMAJ", 0.03}});
  Shell<double> p(law);
  steps_to_failure(p, {kStep, 0, 0, 0, 0, 0});
  const double plastic = p.point.plastic_strain;
  for (int k = 0; k < 600; ++k) {
    p.step({-kStep, 0, 0, 0, 0, 0});
    ASSERT_TRUE(p.point.failed);
    for (const double s : p.point.s) ASSERT_EQ(s, 0);
  }
  EXPECT_EQ(p.point.plastic_strain, plastic);
}

TEST(ModifiedPiecewise, FailsByPlasticStrainFirst) {
  const Prepared law = prepared({{"FAIL", 0.01}, {"EPSMAJ", 0.03}});
  Shell<double> p(law);
  EXPECT_LT(steps_to_failure(p, {kStep, kStep, 0, 0, 0, 0}), 100);
  EXPECT_GT(p.point.plastic_strain, 0.01);
}

TEST(ModifiedPiecewise, PreparesHistoryAndPointsToFail) {
  EXPECT_EQ(prepared({}).n_history, 0);
  EXPECT_EQ(prepared({{"EPSMAJ", 0.1}}).n_history, kSummedStrains);
  EXPECT_EQ(prepared({{"NUMINT", 3.0}}).points_to_fail, 3);
  EXPECT_EQ(prepared({{"TDEL", 1e-4}}).min_time_step, 1e-4);
  for (const char* field : {"EPSTHIN", "EPSMAJ"}) try {
      prepared({{field, -0.1}});
      ADD_FAILURE() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-M105");
      EXPECT_EQ(error.place().field, field);
    }
}

/// Plastic strain at failure, without the last step.
template <class Point>
double strain_at_failure(Point& p, const double (&d)[6]) {
  double before = 0;
  for (int k = 0; k < 20000 && !p.point.failed; ++k) {
    before = p.point.plastic_strain;
    p.step(d);
  }
  return p.point.failed ? before : 1e9;
}

// Tornqvist's function is 1 in uniaxial tension, 1 / root 3 in shear, exp(1) / 1.65 in biaxial tension.
TEST(ModifiedPiecewise, DamageOfRtclFollowsTheTriaxiality) {
  const double uniaxial = 0.2;
  const Prepared law = prepared({{"EPS0", uniaxial}});
  struct Path {
    double d[6], share;
  };
  for (const Path& path : {Path{{1, -0.5, 0, 0, 0, 0}, 1}, Path{{0, 0, 0, 2, 0, 0}, 1 / std::sqrt(3.0)},
                           Path{{1, 1, 0, 0, 0, 0}, std::exp(1.0) / 1.65}}) {
    double d[6];
    for (int i = 0; i < 6; ++i) d[i] = kStep * path.d[i];
    Shell<double> p(law);
    EXPECT_NEAR(strain_at_failure(p, d), uniaxial / path.share, 3e-3 * uniaxial) << path.share;
    const double kept = p.point.plastic_strain;
    p.step({-kStep, 0, 0, 0, 0, 0});
    EXPECT_TRUE(p.point.failed);
    EXPECT_EQ(p.point.plastic_strain, kept);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
  }
  Shell<double> pressed(law);
  EXPECT_EQ(strain_at_failure(pressed, {-kStep, 0.5 * kStep, 0, 0, 0, 0}), 1e9);
  Solid<double> pulled(law), sheared(law);
  const double swell = kYield / (kE / (1 - 2 * kNu));  // a mean stress of SIGY
  pulled.step({swell, swell, swell, 0, 0, 0});
  EXPECT_NEAR(strain_at_failure(pulled, {kStep, -0.5 * kStep, -0.5 * kStep, 0, 0, 0}),
              uniaxial * 1.65 / std::exp(1.5), 3e-3 * uniaxial);
  EXPECT_NEAR(strain_at_failure(sheared, {0, 0, 0, 0, 2 * kStep, 0}), std::sqrt(3.0) * uniaxial,
              3e-3 * uniaxial);
}

TEST(ModifiedPiecewise, DamageStopsAboveTriax) {
  const Prepared law = prepared({{"EPS0", 0.1}, {"TRIAX", 0.5}});
  Shell<double> biaxial(law), uniaxial(law);
  EXPECT_EQ(strain_at_failure(biaxial, {kStep, kStep, 0, 0, 0, 0}), 1e9);
  EXPECT_NEAR(strain_at_failure(uniaxial, {kStep, -0.5 * kStep, 0, 0, 0, 0}), 0.1, 1e-3);
}

TEST(ModifiedPiecewise, ThinningAtFailureFollowsTheRateOfPlasticStrain) {
  model::Model m;
  m.curves = {curve(9, {0, 100}, {0.02, 0.06})};
  model::Material of = material(123, {{"SIGY", kYield}, {"LCTSRF", 9.0}, {"EPSTHIN", 0.001}});
  const Prepared law = prepare(m, of);
  for (const auto& [dt, thinning] : {std::pair{1e-5, 0.028}, {1e-6, 0.06}, {1.0, 0.02}}) {
    Shell<double> p(law);
    int count = 0;
    while (!p.point.failed && count < 2000) p.step({kStep, kStep, 0, 0, 0, 0}, dt), ++count;
    const double strain = 0.5 * thinning + kYield * (1 - kNu) / kE;
    EXPECT_NEAR(count, strain / kStep, 1.5) << dt;
    p.step({-kStep, -kStep, 0, 0, 0, 0}, 1e-9);  // not healed by another rate
    EXPECT_TRUE(p.point.failed);
  }
  of.fields["LCTSRF"] = 8;
  EXPECT_THROW(prepare(m, of), Error);
}

}  // namespace
}  // namespace crumple::materials
