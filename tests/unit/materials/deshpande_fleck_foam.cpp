// MAT_154: uniaxial, hydrostatic and shear tests along the hardening curve, densification, failure.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kYoung154 = 70, kPoisson154 = 0.3, kAlpha154 = 1.8;
constexpr double kBulk154 = kYoung154 / (3 * (1 - 2 * kPoisson154));
constexpr double kShear154 = kYoung154 / (2 * (1 + kPoisson154));
constexpr double kK154 = 1 + kAlpha154 * kAlpha154 / 9;

Prepared metal_foam(Fields fields = {}) {
  return prepare({}, with_fields(material(154, {{"E", kYoung154},
                                                {"PR", kPoisson154},
                                                {"ALPHA", kAlpha154},
                                                {"GAMMA", 0.05},
                                                {"EPSD", 1.4},
                                                {"ALPHA2", 0.3},
                                                {"BETA", 4.0},
                                                {"SIGP", 0.1}}),
                                 fields));
}
double flow(double strain) {
  return 0.1 + 0.05 * strain / 1.4 - 0.3 * std::log(1 - std::pow(strain / 1.4, 4));
}

// In one direction the left side of the criterion is the stress, and the plastic strain is that of the axis;
// across it the foam expands by (1/2 - ALPHA^2 / 9) / (1 + ALPHA^2 / 9) of it.
TEST(DeshpandeFleckFoam, PressedInOneDirection) {
  for (const double sign : {-1.0, 1.0}) {
    const Prepared law = metal_foam();
    Solid<double> solid(law);
    const double expands = (0.5 - kAlpha154 * kAlpha154 / 9) / kK154;
    double along = 0, across = 0;
    for (const double plastic : {0.0, 0.01, 0.3, 0.8, 1.2, 1.35}) {
      const double stress = flow(plastic);
      const double a = sign * (stress / kYoung154 + plastic);
      const double b = -sign * (kPoisson154 * stress / kYoung154 + expands * plastic);
      solid.step({a - along, b - across, b - across, 0, 0, 0});
      along = a, across = b;
      EXPECT_NEAR(solid.point.s[0], sign * stress, 1e-9) << plastic;
      EXPECT_NEAR(solid.point.s[1], 0, 1e-9) << plastic;
      EXPECT_NEAR(solid.point.s[2], 0, 1e-9) << plastic;
      EXPECT_NEAR(solid.point.plastic_strain, plastic, 1e-10);
    }
    solid.step({-sign * 1e-3, 0, 0, 0, 0, 0});  // back, elastic
    EXPECT_NEAR(solid.point.s[0], sign * (flow(1.35) - (kBulk154 + 4 * kShear154 / 3) * 1e-3), 1e-9);
  }
}

// All around, the pressure is sqrt(k) / ALPHA times the yield stress, the volume ALPHA / sqrt(k) times the
// plastic strain.
TEST(DeshpandeFleckFoam, PressedAllAround) {
  const Prepared law = metal_foam();
  Solid<double> solid(law);
  double before = 0;
  for (const double plastic : {0.02, 0.5, 1.0}) {
    const double pressure = std::sqrt(kK154) / kAlpha154 * flow(plastic);
    const double volume = pressure / kBulk154 + kAlpha154 / std::sqrt(kK154) * plastic;
    const double d = -(volume - before) / 3;
    before = volume;
    solid.step({d, d, d, 0, 0, 0});
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.point.s[k], -pressure, 1e-9);
    EXPECT_NEAR(solid.point.plastic_strain, plastic, 1e-9);
  }
}

TEST(DeshpandeFleckFoam, Sheared) {
  const Prepared law = metal_foam();
  Solid<double> solid(law);
  const double plastic = 0.2, stress = std::sqrt(kK154 / 3) * flow(plastic);
  // The work of the shear is that of the yield stress: tau gamma = s_y e.
  solid.step({0, 0, 0, stress / kShear154 + flow(plastic) * plastic / stress, 0, 0});
  EXPECT_NEAR(solid.point.s[3], stress, 1e-9);
  EXPECT_NEAR(solid.point.plastic_strain, plastic, 1e-9);
}

// Without ALPHA the pressure is elastic (von Mises).
TEST(DeshpandeFleckFoam, WithoutAlphaThePressureIsElastic) {
  const Prepared law = metal_foam({{"ALPHA", 0.0}});
  Solid<double> solid(law);
  solid.step({-0.1, -0.1, -0.1, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], -0.3 * kBulk154, 1e-9);
  EXPECT_EQ(solid.point.plastic_strain, 0);
}

// Dense foam is elastic, whatever the step.
TEST(DeshpandeFleckFoam, DensifiesAndIsElasticThen) {
  const Prepared law = metal_foam();
  Solid<double> solid(law);
  solid.steps(50, {-1, -1, -1, 0, 0, 0});
  EXPECT_NEAR(solid.point.plastic_strain, 1.4, 0.01);
  const double before = solid.point.s[0];
  EXPECT_LT(before, -10);
  solid.step({-0.01, -0.01, -0.01, 0, 0, 0});
  EXPECT_NEAR((solid.point.s[0] - before) / (-0.03 * kBulk154), 1, 0.02);
}

TEST(DeshpandeFleckFoam, FailsByPlasticVolume) {
  const Prepared law = metal_foam({{"CFAIL", 0.05}});
  Solid<double> pressed(law), pulled(law);
  pressed.step({-0.1, -0.1, -0.1, 0, 0, 0});
  EXPECT_FALSE(pressed.point.failed);
  const double elastic = std::sqrt(kK154) / kAlpha154 * flow(0.05 * std::sqrt(kK154) / kAlpha154) / kBulk154;
  const double limit = (0.05 + elastic) / 3;
  pulled.step({0.999 * limit, 0.999 * limit, 0.999 * limit, 0, 0, 0});
  EXPECT_FALSE(pulled.point.failed);
  pulled.step({0.002 * limit, 0.002 * limit, 0.002 * limit, 0, 0, 0});
  EXPECT_TRUE(pulled.point.failed);
  EXPECT_EQ(pulled.point.s[0], 0);
  pulled.step({-0.01, 0, 0, 0, 0, 0});
  EXPECT_TRUE(pulled.point.failed);
}

TEST(DeshpandeFleckFoam, FailsByAPrincipalStressThatLasts) {
  const Prepared law = metal_foam({{"SIGP", 10.0}, {"PFAIL", 0.5}, {"NUM", 3.0}});
  Solid<double> solid(law);
  const double up = 0.51 / kShear154;
  solid.step({0, 0, 0, up, 0, 0});
  solid.step({0, 0, 0, 0, 0, 0});
  solid.step({0, 0, 0, -up, 0, 0});  // begins to count again
  solid.step({0, 0, 0, -up, 0, 0});
  solid.step({0, 0, 0, 0, 0, 0});
  EXPECT_FALSE(solid.point.failed);
  solid.step({0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(solid.point.failed);
}

TEST(DeshpandeFleckFoam, RefusesWhatIsOutOfRange) {
  for (const char* field : {"SIGP", "EPSD", "BETA", "E"}) {
    EXPECT_THROW(metal_foam({{field, 0.0}}), Error) << field;
    EXPECT_THROW(metal_foam({{field, -1.0}}), Error) << field;
  }
  for (const char* field : {"ALPHA", "GAMMA", "ALPHA2", "CFAIL", "PFAIL", "NUM"})
    EXPECT_THROW(metal_foam({{field, -1.0}}), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
