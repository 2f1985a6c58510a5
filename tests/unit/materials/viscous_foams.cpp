// MAT_062 and MAT_073 against closed forms: stiffening, relaxation, steady flow, and the foam of MAT_057.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE1 = 0.4, kN1 = 4.0, kNu = 0.05;

Prepared viscous(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(62, {{"E1", kE1}, {"N1", kN1}, {"PR", kNu}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(model::Model(), m);
}
/// Stiffness of a strain in one direction and modulus 1, and the lateral one.
constexpr double kAlong = (1 - kNu) / ((1 + kNu) * (1 - 2 * kNu)),
                 kAcross = kNu / ((1 + kNu) * (1 - 2 * kNu));

// ds = C E1 V^-N1 de with de = dV / V: s = C E1 (1 - V^-N1) / N1, the same on the way back.
TEST(ViscousFoam, StiffensWithTheVolume) {
  const Prepared law = viscous();
  StretchedPoint point(law);
  for (const double v : {0.8, 0.3, 0.6, 1.2, 1.0}) {
    point.to(v, 1, 1, 1, 4000);
    const double e = kE1 * (1 - std::pow(v, -kN1)) / kN1;
    EXPECT_NEAR(point.solid.point.s[0], kAlong * e, 2e-3 * kE1 * std::pow(v, -kN1)) << v;
    EXPECT_NEAR(point.solid.point.s[1], kAcross * e, 2e-3 * kE1 * std::pow(v, -kN1));
  }
  EXPECT_NEAR(point.work, 0, 2e-3);
}

TEST(ViscousFoam, RelaxesWithTheViscosityOfItsVolume) {
  const double e2 = 50, v2 = 2, n2 = 0.2, v = 0.7;
  const Prepared law = viscous({{"E2", e2}, {"V2", v2}, {"N2", n2}});
  StretchedPoint point(law);
  point.to(v, 1, 1, 1e-7);
  const double rest = kAlong * kE1 * (1 - std::pow(v, -kN1)) / kN1;
  const double start = point.solid.point.s[0] - rest;
  EXPECT_NEAR(start, kAlong * e2 * std::log(v), 1e-3 * e2);
  const double rate = e2 / (v2 * std::pow(1 - v, n2));
  for (int k = 1; k < 4; ++k) {
    point.to(v, 1, 1, 0.02);
    EXPECT_NEAR(point.solid.point.s[0] - rest, start * std::exp(-rate * 0.02 * k), 1e-3 * std::abs(start))
        << k;
  }
}

TEST(ViscousFoam, FlowsWithItsViscosityAtASteadyRate) {
  const double e2 = 5000, v2 = 2, n2 = 0.5;
  const Prepared law = viscous({{"E2", e2}, {"V2", v2}, {"N2", n2}});
  StretchedPoint point(law);
  const double time = 3, end = 0.5, rate = std::log(end) / time;
  point.to(end, 1, 1, time, 20000);
  const double spring = kE1 * (1 - std::pow(end, -kN1)) / kN1, oil = v2 * std::pow(1 - end, n2) * rate;
  EXPECT_NEAR(point.solid.point.s[0], kAlong * (spring + oil), 2e-3 * std::abs(oil));
  EXPECT_DOUBLE_EQ(law.elastic.young, kE1 + e2);
}

TEST(ViscousFoam, RefusesWhatIsNone) {
  EXPECT_THROW(viscous({{"E1", 0.0}}), Error);
  EXPECT_THROW(viscous({{"V2", -1.0}}), Error);
  EXPECT_THROW(viscous({{"PR", 0.5}}), Error);
}

Prepared low_density(int number, std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Model m;
  m.curves = {curve(5, {0, 0.05, 0.6, 0.8}, {0, 0.1, 0.2, 1.2})};
  model::Material of =
      material(number, {{"E", 2.0}, {"PR", 0.0}, {"LCID", 5.0}, {"HU", 0.2}, {"SHAPE", 3.0}});
  for (const auto& [name, value] : fields) of.fields[name] = value;
  return prepare(m, of);
}

TEST(LowDensityViscousFoam, IsTheFoamWithoutItsTerms) {
  const Prepared with = low_density(73, {}), without = low_density(57, {});
  StretchedPoint a(with), b(without);
  for (const double l : {0.5, 0.8, 1.1}) {
    a.to(l, 0.9, 1);
    b.to(l, 0.9, 1);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(a.solid.point.s[i], b.solid.point.s[i]);
  }
  EXPECT_EQ(with.elastic.young, without.elastic.young);
}

TEST(LowDensityViscousFoam, AddsMaxwellElementsWithoutLateralStress) {
  const double g[2] = {3, 7}, beta[2] = {2, 0.5}, l = 0.7;
  const Prepared law =
      low_density(73, {{"GI1", g[0]}, {"BETAI1", beta[0]}, {"GI2", g[1]}, {"BETAI2", beta[1]}});
  const Prepared foam = low_density(57, {});
  StretchedPoint point(law), rest(foam);
  point.to(l, 1, 1, 1e-7);
  rest.to(l, 1, 1, 1e-7);
  const auto beside = [&](int i) { return point.solid.point.s[i] - rest.solid.point.s[i]; };
  EXPECT_NEAR(beside(0), (g[0] + g[1]) * std::log(l), 1e-5);
  EXPECT_NEAR(beside(1), 0, 1e-12);
  point.to(l, 1, 1, 1.5);
  EXPECT_NEAR(beside(0), (g[0] * std::exp(-beta[0] * 1.5) + g[1] * std::exp(-beta[1] * 1.5)) * std::log(l),
              1e-5);
  EXPECT_DOUBLE_EQ(law.elastic.young, 5 + g[0] + g[1]);
  EXPECT_EQ(law.n_history, 20);
}

TEST(LowDensityViscousFoam, RefusesFits) {
  EXPECT_THROW(low_density(73, {{"LCID2", 5.0}}), Error);
  EXPECT_THROW(low_density(73, {{"GI1", -5.0}}), Error);
  EXPECT_THROW(low_density(73, {{"REF1", 1.0}}), Error);
}

}  // namespace
}  // namespace crumple::materials
