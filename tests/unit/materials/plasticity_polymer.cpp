// MAT_089 against its curve of stress over total strain.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kG = kE / 2.6;

model::Model polymer_curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.001, 0.01, 0.05, 0.3}, {0, 0.21, 0.4, 0.45, 0.8}),
              curve(6, {0, 0.002, 0.01, 0.3}, {0, 0.3, 0.5, 0.9}),  // leaves the line of E at once
              curve(7, {0, 0.001, 0.01}, {0, 0.3, 0.4}), curve(8, {0.02, 0.03}, {0.2, 0.4}),
              curve(9, {0, 0.01, 0.011}, {0, 0.3, 0.6})};
  m.tables = {{50, {0.0, 10.0}, {0, 1}}};
  return m;
}
Prepared polymer(std::initializer_list<std::pair<const std::string, double>> fields) {
  return prepare(polymer_curves(), material(89, fields));
}

/// Stress of shear at the strain to which a bar's total strain `e` corresponds.
void expect_shear(const Prepared& law, double e, double stress, double time = 1e9) {
  const double root = std::sqrt(3.0), plastic = e - stress / kE;
  const double gamma = root * plastic + stress / (root * kG);
  for (const int count : {1, 40}) {
    Solid<double> solid(law);
    Shell<double> shell(law);
    solid.steps(count, {0, 0, 0, gamma, 0, 0}, time);
    shell.steps(count, {0, 0, 0, gamma, 0, 0}, time);
    EXPECT_NEAR(solid.point.s[3], stress / root, 1e-12) << e;
    EXPECT_NEAR(shell.point.s[3], stress / root, 1e-12) << e;
    EXPECT_NEAR(solid.point.plastic_strain, plastic, 1e-12) << e;
  }
}

TEST(PlasticityPolymer, FollowsTotalStrain) {
  const Prepared law = polymer({{"LCSS", 5.0}});
  const model::Curve f = polymer_curves().curves[0];
  for (const double e : {0.0005, 0.001, 0.004, 0.01, 0.03, 0.2}) expect_shear(law, e, f(e));
  expect_shear(law, 0.5, 0.8 + 0.2 * 0.35 / 0.25);  // straight beyond its end, over plastic strain, too
}

TEST(PlasticityPolymer, MayYieldFromTheStart) {
  const Prepared law = polymer({{"LCSS", 6.0}});
  const model::Curve f = polymer_curves().curves[1];
  for (const double e : {0.002, 0.006, 0.1}) expect_shear(law, e, f(e));
}

TEST(PlasticityPolymer, UnloadsElastically) {
  const Prepared law = polymer({{"LCSS", 5.0}});
  Solid<double> solid(law);
  solid.steps(50, {0, 0, 0, 0.05, 0, 0});
  const double top = solid.point.s[3];
  solid.steps(10, {0, 0, 0, -0.001, 0, 0});
  EXPECT_NEAR(solid.point.s[3], top - 0.001 * kG, 1e-12);
}

TEST(PlasticityPolymer, TableOverTheRate) {
  const Prepared law = polymer({{"LCSS", 50.0}});
  const auto& curves = polymer_curves().curves;
  expect_shear(law, 0.05, curves[0](0.05));
  const double e = 0.05, stress = curves[1](e), root = std::sqrt(3.0),
               gamma = root * (e - stress / kE) + stress / (root * kG);
  expect_shear(law, e, stress, gamma / root / 1e3);  // beyond the last rate
}

TEST(PlasticityPolymer, RefusesByName) {
  const auto says = [](std::initializer_list<std::pair<const std::string, double>> fields, const char* text) {
    try {
      polymer(fields);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    }
  };
  says({{"LCSS", 7.0}}, "is as steep as E, or steeper");
  says({{"LCSS", 9.0}}, "is as steep as E, or steeper");
  says({{"LCSS", 8.0}}, "does not begin at a strain of 0 or on the line of E");
  says({{"LCSS", 4.0}}, "there is no curve or table 4");
  says({{"LCSS", 5.0}, {"LCFAIL", 5.0}}, "failure by total strain");
  says({{"LCSS", 5.0}, {"DAMP", 1.0}}, "viscous stresses");
  says({{"LCSS", 5.0}, {"LCSR", 5.0}}, "LCSR is not supported");
}

}  // namespace
}  // namespace crumple::materials
