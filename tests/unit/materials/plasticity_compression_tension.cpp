// MAT_124 against its closed form: tension, compression, shear, pressures between PC and PT, rates, failure.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kG = kE / 2.6;

model::Model curves() {
  model::Model m;
  m.curves = {curve(1, {0, 0.1, 0.3}, {0.4, 0.5, 0.6}), curve(2, {0, 0.05, 0.3}, {0.2, 0.3, 0.3}),
              curve(3, {0, 10}, {1, 2}), curve(4, {0, 10}, {1, 1.5})};
  return m;
}
model::Material polymer(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(124, {{"LCIDC", 1.0}, {"LCIDT", 2.0}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}
double compression(double p) { return curves().curves[0](p); }
double tension(double p) { return curves().curves[1](p); }

/// Strain increments of uniaxial stress in plane stress, elastic then isochoric: s in x, to the plastic
/// strain p.
void pull(Shell<double>& shell, double s, double p) {
  const double sign = s > 0 ? 1 : -1;
  shell.step({s / kE, -kNu * s / kE, 0, 0, 0, 0});
  shell.steps(100, {sign * p, -0.5 * sign * p, 0, 0, 0, 0});
}

TEST(PlasticityCompressionTension, TensionAndCompressionHaveTheirCurves) {
  const Prepared law = prepare(curves(), polymer({}));
  Shell<double> pulled(law), pushed(law);
  pull(pulled, 0.2, 0.08);
  pull(pushed, -0.4, 0.08);
  EXPECT_NEAR(mises(pulled.point.s), tension(pulled.point.plastic_strain), 1e-9);
  EXPECT_NEAR(pulled.point.s[0], tension(pulled.point.plastic_strain), 1e-3);
  EXPECT_NEAR(mises(pushed.point.s), compression(pushed.point.plastic_strain), 1e-9);
  EXPECT_NEAR(pushed.point.s[0], -compression(pushed.point.plastic_strain), 1e-3);
  EXPECT_NEAR(pulled.point.plastic_strain, 0.08, 1e-3);
  EXPECT_NEAR(pushed.point.plastic_strain, 0.08, 1e-3);
  EXPECT_NEAR(pulled.point.s[1], 0, 1e-3);
}

TEST(PlasticityCompressionTension, UnloadsElasticallyToTheOtherCurve) {
  const Prepared law = prepare(curves(), polymer({}));
  Shell<double> shell(law);
  pull(shell, 0.2, 0.1);
  const double s = shell.point.s[0], p = shell.point.plastic_strain, back = s + compression(p);
  shell.step({-0.99 * back / kE, 0.99 * kNu * back / kE, 0, 0, 0, 0});
  EXPECT_NEAR(shell.point.s[0], s - 0.99 * back, 1e-9);
  EXPECT_EQ(shell.point.plastic_strain, p);
  shell.step({-0.1 * back / kE, 0.1 * kNu * back / kE, 0, 0, 0, 0});
  EXPECT_GT(shell.point.plastic_strain, p);
  EXPECT_NEAR(mises(shell.point.s), compression(shell.point.plastic_strain), 1e-9);
}

TEST(PlasticityCompressionTension, BetweenTheTwoPressuresTheCurvesAreWeighted) {
  // Shear under a constant pressure, by the volume; the return does not change it.
  const double pc = 0.5, pt = 0.25;
  const Prepared law = prepare(curves(), polymer({{"PC", pc}, {"PT", pt}}));
  const double bulk = kE / (3 * (1 - 2 * kNu)), root = std::sqrt(3.0), p = 0.07;
  for (const double pressure : {-0.4, -0.25, -0.1, 0.0, 0.2, 0.5, 0.7}) {
    const double weight = std::clamp((pressure + pt) / (pc + pt), 0.0, 1.0);
    const double s = weight * compression(p) + (1 - weight) * tension(p), e = -pressure / (3 * bulk);
    const double gamma = root * p + s / (root * kG);
    Solid<double> solid(law);
    solid.step({e, e, e, 0, 0, 0});
    solid.steps(20, {0, 0, 0, 0, gamma, 0});
    EXPECT_NEAR(root * solid.point.s[4], s, 1e-9) << pressure;
    EXPECT_NEAR(solid.point.plastic_strain, p, 1e-9);
  }
}

TEST(PlasticityCompressionTension, RatesScaleEachCurve) {
  const double root = std::sqrt(3.0), p = 0.04, rate = 4, bulk = kE / (3 * (1 - 2 * kNu));
  // Simple shear at the engineering rate r: sqrt(d_ij d_ij) = r / sqrt(2), also of the deviator.
  const double norm = rate / std::sqrt(2.0), cowper = 1 + std::pow(norm / 40, 0.2);
  for (const bool curve_given : {false, true})
    for (const double deviatoric : {0.0, 1.0})
      for (const double pressure : {-0.5, 0.5}) {
        const Prepared law =
            prepare(curves(), curve_given ? polymer({{"LCSRC", 3.0}, {"LCSRT", 4.0}, {"SRFLAG", deviatoric}})
                                          : polymer({{"C", 40.0}, {"P", 5.0}, {"SRFLAG", deviatoric}}));
        const double factor = !curve_given ? cowper : curves().curves[pressure > 0 ? 2 : 3](norm);
        const double s = factor * (pressure > 0 ? compression(p) : tension(p));
        const double gamma = root * p + s / (root * kG), e = -pressure / (3 * bulk);
        Solid<double> solid(law);
        solid.step({e, e, e, 0, 0, 0}, 1e6);
        solid.steps(20, {0, 0, 0, 0, 0, gamma}, gamma / rate);
        EXPECT_NEAR(root * solid.point.s[5], s, 1e-9) << pressure << ' ' << curve_given;
      }
}

TEST(PlasticityCompressionTension, FailsAndRefuses) {
  const Prepared law = prepare(curves(), polymer({{"FAIL", 0.05}}));
  Shell<double> p(law);
  for (int k = 0; k < 1000 && !p.point.failed; ++k) p.step({1e-4, 0, 0, 0, 0, 0});
  EXPECT_GT(p.point.plastic_strain, 0.05);
  EXPECT_LT(p.point.plastic_strain, 0.0502);
  for (const auto& [field, value] : {std::pair{"LCIDC", 0.0},
                                     {"LCIDT", 9.0},
                                     {"PC", -1.0},
                                     {"PT", -1.0},
                                     {"EC", 100.0},
                                     {"PCUTF", 1.0},
                                     {"SRFLAG", 2.0},
                                     {"K", 1.0}})
    EXPECT_THROW(prepare(curves(), polymer({{field, value}})), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
