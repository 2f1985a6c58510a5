// MAT_005: crushing and unloading, the cut-off in tension, shear strength over pressure.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kUnloading = 20, kShear = 3;

model::Model soil_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.5}, {0, 0.5, 4.5}), curve(6, {-0.5, -0.1, 0}, {4.5, 0.5, 0}),
              curve(7, {0, 0.1, 0.2}, {0, 0.5, 0.4})};
  return m;
}
Prepared soil(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(5, {{"G", kShear}, {"KUN", kUnloading}, {"LCID", 5.0}, {"PC", -0.1}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(soil_model(), m);
}
double pressure_of(const StretchedPoint& p) {
  return -(p.solid.point.s[0] + p.solid.point.s[1] + p.solid.point.s[2]) / 3;
}
/// All around, to a volumetric strain.
void press(StretchedPoint& point, double strain) {
  const double stretch = std::exp(-strain / 3);
  point.to(stretch, stretch, stretch);
}
double curve_at(double strain) { return soil_model().curves[0](strain); }

TEST(SoilAndFoam, CrushesByItsCurveAndUnloadsByItsBulkModulus) {
  for (const double id : {5.0, 6.0}) {  // strains of either sign
    const Prepared law = soil({{"LCID", id}});
    StretchedPoint point(law);
    for (const double strain : {0.05, 0.1, 0.3}) {
      press(point, strain);
      EXPECT_NEAR(pressure_of(point), curve_at(strain), 1e-9);
    }
    press(point, 0.25);
    EXPECT_NEAR(pressure_of(point), curve_at(0.3) - 0.05 * kUnloading, 1e-9);
    press(point, 0.29);  // again by the same line
    EXPECT_NEAR(pressure_of(point), curve_at(0.3) - 0.01 * kUnloading, 1e-9);
    press(point, 0.4);
    EXPECT_NEAR(pressure_of(point), curve_at(0.4), 1e-9);
  }
}

TEST(SoilAndFoam, TearsAtTheCutOffWithoutShear) {
  const Prepared law = soil({{"A0", 100.0}});
  StretchedPoint point(law);
  press(point, -0.004);
  EXPECT_NEAR(pressure_of(point), -0.004 * kUnloading, 1e-9);
  point.to(1.1, 1.02, 1);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(point.solid.point.s[k], 0.1, 1e-12);
}

TEST(SoilAndFoam, WithoutCrushingBothPathsAreTheCurve) {
  const Prepared law = soil({{"VCR", 1.0}});
  StretchedPoint point(law);
  press(point, 0.3);
  press(point, 0.05);
  EXPECT_NEAR(pressure_of(point), curve_at(0.05), 1e-9);
}

TEST(SoilAndFoam, ShearStrengthGrowsWithThePressure) {
  const double a0 = 0.02, a1 = 0.1, a2 = 0.05;
  const Prepared law = soil({{"A0", a0}, {"A1", a1}, {"A2", a2}});
  Solid<double> solid(law);
  const double strain = 0.3, p = curve_at(strain);
  solid.point.volume_ratio = std::exp(-strain);
  solid.step({-0.1, -0.1, -0.1, 0, 0, 0});
  for (int k = 0; k < 50; ++k) solid.step({0, 0, 0, 0.02, 0, 0});
  EXPECT_NEAR(solid.point.s[3] * solid.point.s[3], a0 + a1 * p + a2 * p * p, 1e-9);
  EXPECT_NEAR(solid.point.s[0], -p, 1e-9);
  const double before = solid.point.s[3];
  solid.step({0, 0, 0, -0.02, 0, 0});  // elastic on the way back
  EXPECT_NEAR(solid.point.s[3], before - 0.02 * kShear, 1e-12);
}

TEST(SoilAndFoam, PairsOfTheCards) {
  const Prepared law = soil({{"LCID", 0.0}, {"EPS2", -0.1}, {"P2", 0.5}, {"EPS3", -0.5}, {"P3", 4.5}});
  StretchedPoint point(law);
  press(point, 0.3);
  EXPECT_NEAR(pressure_of(point), curve_at(0.3), 1e-9);
}

TEST(SoilAndFoam, Refuses) {
  const auto refused = [](std::initializer_list<std::pair<const std::string, double>> fields) {
    try {
      soil(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(refused({{"G", 0.0}}), "CR-M103");
  EXPECT_EQ(refused({{"VCR", 2.0}}), "CR-M105");
  EXPECT_EQ(refused({{"LCID", 99.0}}), "CR-M106");
  EXPECT_EQ(refused({{"LCID", 0.0}}), "CR-M107");
  EXPECT_EQ(refused({{"LCID", 7.0}}), "CR-M107");
  EXPECT_EQ(refused({{"PC", 0.1}}), "CR-M108");
}

}  // namespace
}  // namespace crumple::materials
