// MAT_019 against its closed form: yield stress and tangent over strain rate, failure to read them.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kG = kE / 2.6;

model::Model curves() {
  model::Model m;
  m.curves = {curve(1, {0, 0.1, 10}, {0.25, 0.3, 0.5}), curve(3, {0, 10}, {1.0, 3.0}),
              curve(4, {0, 10}, {1.0, 300.0})};
  return m;
}
model::Material rate_dependent(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(19, {{"LC1", 1.0}, {"ETAN", 2.0}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}
double plastic_modulus(double tangent) { return kE * tangent / (kE - tangent); }

TEST(StrainRateDependentPlasticity, YieldStressIsTheCurveAtTheRateOfTheDeviator) {
  const Prepared law = prepare(curves(), rate_dependent({}));
  const model::Curve yield = curves().curves[0];
  const double root = std::sqrt(3.0), p = 0.02;
  for (const double rate : {1e-6, 0.05, 0.1, 4.0, 10.0, 1000.0}) {
    const double s = yield(std::min(rate, 10.0)) + plastic_modulus(2) * p;
    const double gamma = root * p + s / (root * kG);
    for (const double volume : {0.0, 0.01}) {
      Solid<double> solid(law);
      solid.steps(10, {volume, volume, volume, gamma, 0, 0}, gamma / (rate * root));
      EXPECT_NEAR(solid.point.s[3], s / root, 1e-9) << rate;
      EXPECT_NEAR(solid.point.plastic_strain, p, 1e-9);
    }
    Shell<double> shell(law);
    shell.steps(10, {0, 0, 0, gamma, 0, 0}, gamma / (rate * root));
    EXPECT_NEAR(shell.point.s[3], s / root, 1e-9) << rate;
  }
}

TEST(StrainRateDependentPlasticity, TangentModulusOverRate) {
  const Prepared law = prepare(curves(), rate_dependent({{"LC3", 3.0}}));
  const model::Curve yield = curves().curves[0], tangent = curves().curves[1];
  const double root = std::sqrt(3.0), p = 0.05;
  for (const double rate : {1e-6, 1.0, 5.0, 100.0}) {
    const double s = yield(std::min(rate, 10.0)) + plastic_modulus(tangent(std::min(rate, 10.0))) * p;
    const double gamma = root * p + s / (root * kG);
    Solid<double> solid(law);
    solid.steps(10, {0, 0, 0, 0, gamma, 0}, gamma / (rate * root));
    EXPECT_NEAR(solid.point.s[4], s / root, 1e-9) << rate;
  }
}

TEST(StrainRateDependentPlasticity, ViscoplasticTakesThePlasticRate) {
  const Prepared law = prepare(curves(), rate_dependent({{"VP", 1.0}}));
  const model::Curve yield = curves().curves[0];
  for (const double dt : {1e-5, 1e-3, 1.0}) {
    Shell<double> shell(law);
    Solid<double> solid(law);
    for (int k = 0; k < 50; ++k) {
      const double e = 2e-4, before[] = {shell.point.plastic_strain, solid.point.plastic_strain};
      shell.step({e, 0.3 * e, 0, 0.5 * e, 0, 0.1 * e}, dt);
      solid.step({e, -0.4 * e, -0.2 * e, 0.3 * e, 0, 0}, dt);
      const double q[] = {mises(shell.point.s), mises(solid.point.s)};
      const double now[] = {shell.point.plastic_strain, solid.point.plastic_strain};
      for (int i = 0; i < 2; ++i)
        if (now[i] != before[i]) {
          const double flow = yield(std::min((now[i] - before[i]) / dt, 10.0)) + plastic_modulus(2) * now[i];
          EXPECT_NEAR(q[i], flow, 1e-8) << dt << ' ' << k;
        }
    }
    EXPECT_GT(solid.point.plastic_strain, 0.001);
  }
}

TEST(StrainRateDependentPlasticity, Refuses) {
  for (const auto& [field, value] : {std::pair{"LC1", 0.0}, {"LC1", 9.0}, {"ETAN", 210.0}, {"LC3", 4.0}})
    EXPECT_THROW(prepare(curves(), rate_dependent({{field, value}})), Error) << field;
  EXPECT_THROW(prepare(curves(), rate_dependent({{"LC3", 3.0}, {"VP", 1.0}})), Error);
}

}  // namespace
}  // namespace crumple::materials
