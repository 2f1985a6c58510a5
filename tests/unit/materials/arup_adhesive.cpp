// MAT_169: energies of tension, shear and both, the surface, plateau, compression, unloading, axes, refusals.
#include "materials/cohesive/arup_adhesive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "materials/cohesive/adhesive_fields.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kYoung = 2.0, kPoisson = 0.35, kTen = 0.03, kShr = 0.02, kGten = 1.5e-3, kGshr = 4e-3;
constexpr double kLayer = 0.5;  ///< thickness
const double kWave = kYoung * (1 - kPoisson) / ((1 + kPoisson) * (1 - 2 * kPoisson)),
             kGlue = kYoung / (2 * (1 + kPoisson));

model::Material adhesive(Fields fields = {}) {
  return with_fields(material(169, {{"E", kYoung},
                                    {"PR", kPoisson},
                                    {"TENMAX", kTen},
                                    {"GCTEN", kGten},
                                    {"SHRMAX", kShr},
                                    {"GCSHR", kGshr},
                                    {"PWRT", 2.0},
                                    {"PWRS", 2.0},
                                    {"THKDIR", 0.0}}),
                     fields);
}

/// A layer of unit area in the plane xy.
class Bond {
 public:
  explicit Bond(const Prepared& law, double thickness = kLayer) : solid(law), thickness_(thickness) {
    solid.point.history.store(ArupAdhesiveLaw::kThickness, thickness);
  }
  /// Displacements of the upper side: along x and y, and opening. The lower and upper face stay parallel.
  void move(double x, double y, double z) {
    const double h = thickness_ + 0.5 * z, turn[2] = {0.5 * x / h, 0.5 * y / h};
    const double rotation[3][3] = {{1, 0, turn[0]}, {0, 1, turn[1]}, {-turn[0], -turn[1], 1}};
    solid.point.rotation = rotation;
    thickness_ += z;
    const double before[3] = {solid.point.s[5], solid.point.s[4], solid.point.s[2]};
    solid.step({0, 0, z / h, 0, y / h, x / h}, 1e-3);
    const double d[3] = {x, y, z}, after[3] = {solid.point.s[5], solid.point.s[4], solid.point.s[2]};
    for (int i = 0; i < 3; ++i) (i < 2 ? two : one) += 0.5 * (before[i] + after[i]) * d[i];
    solid.point.rotation = nullptr;
  }
  double shear() const { return std::hypot(solid.point.s[4], solid.point.s[5]); }

  Solid<double> solid;
  double one = 0, two = 0;  ///< works
  double at = 0;            ///< displacement, where the test keeps it

 private:
  double thickness_;  ///< at present
};

/// Pulled along a straight path until it fails.
Bond broken(const Prepared& law, double angle, double thickness = kLayer) {
  Bond bond(law, thickness);
  constexpr double step = 1e-5;
  const double along = std::sin(angle), across = std::cos(angle);
  while (!bond.solid.point.failed && bond.at < 2) {
    bond.move(0.6 * step * along, 0.8 * step * along, step * across);
    bond.at += step;
  }
  EXPECT_TRUE(bond.solid.point.failed) << angle;
  return bond;
}

// A layer that grows thicker gives back more elastic energy than it took: TENMAX / 3 (lambda + 2 G) of the
// whole.
TEST(ArupAdhesive, EachModeTakesItsEnergyInLayersOfAnyThickness) {
  for (const double ratio : {0.0, 0.4}) {
    const Prepared law = prepare(model::Model(), adhesive({{"SHRP", ratio}}));
    for (const double thickness : {0.2, 0.5, 2.0}) {
      const Bond pulled = broken(law, 0, thickness), slid = broken(law, M_PI / 2, thickness);
      EXPECT_NEAR(pulled.one / kGten, 1 - kTen / (3 * kWave), 2e-4) << thickness;
      EXPECT_NEAR(pulled.two, 0, 1e-12);
      EXPECT_NEAR(slid.two / kGshr, 1, 1e-3) << thickness;
      EXPECT_NEAR(pulled.at, 2 * kGten / kTen * (1 - kTen / (2 * kWave)), 3e-5);
      EXPECT_NEAR(slid.at, 2 * kGshr / ((1 + ratio) * kShr), 2e-3 * slid.at);
    }
  }
}

TEST(ArupAdhesive, EnergiesOfBothModesAddUp) {
  const std::vector<model::Material> all{adhesive(), adhesive({{"SHRP", 0.3}}),
                                         adhesive({{"PWRT", 1.5}, {"PWRS", 3.0}}),
                                         adhesive({{"SHT_SL", 0.4}, {"SHRP", 0.2}})};
  for (const model::Material& m : all) {
    const Prepared law = prepare(model::Model(), m);
    for (const double angle : {0.3, 0.9, 1.3}) {
      const Bond bond = broken(law, angle);
      EXPECT_NEAR(bond.one / kGten + bond.two / kGshr, 1, 4e-3) << angle;
    }
  }
}

TEST(ArupAdhesive, YieldsOnItsSurface) {
  const double slope = 0.4, p = 1.5, q = 3;
  const Prepared law = prepare(
      model::Model(),
      adhesive({{"PWRT", p}, {"PWRS", q}, {"SHT_SL", slope}, {"SHRP", 0.9}, {"GCTEN", 1e3}, {"GCSHR", 1e3}}));
  for (const double angle : {0.01, 0.4, 0.9, 1.4}) {
    Bond bond(law);
    for (int k = 0; k < 10000; ++k) bond.move(0, 1e-5 * std::sin(angle), 1e-5 * std::cos(angle));
    const double s = bond.solid.point.s[2], t = bond.shear();
    EXPECT_NEAR(std::pow(s / kTen, p) + std::pow(t / (kShr - slope * s), q), 1, 1e-3) << angle;
    EXPECT_NEAR(s / t, kWave / kGlue / std::tan(angle), 1e-3 * s / t);
    EXPECT_GE(bond.solid.point.plastic_strain, 1);
  }
}

TEST(ArupAdhesive, ShearStaysUpToItsPlateau) {
  const double ratio = 0.4, last = 2 * kGshr / ((1 + ratio) * kShr);
  const Prepared law = prepare(model::Model(), adhesive({{"SHRP", ratio}}));
  Bond bond(law);
  const double yield = kShr * kLayer / kGlue, step = 1e-5;
  const auto to = [&](double plastic) {
    while (bond.at < yield + plastic) {
      bond.move(step, 0, 0);
      bond.at += step;
    }
  };
  to(0.98 * ratio * last);
  EXPECT_NEAR(bond.shear(), kShr, 1e-5 * kShr);
  EXPECT_NEAR(bond.solid.point.plastic_strain, 1, 1e-6);
  to(0.7 * last);
  const double elastic = bond.shear() * kLayer / kGlue, plastic = bond.at - elastic;
  EXPECT_NEAR(bond.shear(), kShr * (last - plastic) / (last - ratio * last), 2e-3 * kShr);
  EXPECT_NEAR(bond.solid.point.plastic_strain, 2 - bond.shear() / kShr, 1e-9);
  const double before = bond.solid.point.s[5];
  bond.move(-1e-4, 0, 0);  // unloads with the elastic modulus
  EXPECT_NEAR(bond.solid.point.s[5], before - kGlue * 1e-4 / kLayer, 1e-4 * kShr);
}

TEST(ArupAdhesive, FlowsAcrossTheLayerOnly) {
  const Prepared law = prepare(model::Model(), adhesive());
  Bond bond(law);
  for (int k = 0; k < 500; ++k) bond.move(0, 0, 1e-4);
  EXPECT_LT(bond.solid.point.s[2], 0.9 * kTen);
  const double lame = kWave - 2 * kGlue;
  for (const int i : {0, 1}) EXPECT_NEAR(bond.solid.point.s[i], lame / kWave * bond.solid.point.s[2], 1e-9);
  const double softened = bond.solid.point.s[2];
  bond.move(0, 0, -1e-4);  // 0.55 is the thickness now
  EXPECT_NEAR(bond.solid.point.s[2], softened - kWave * 1e-4 / 0.55, 1e-5 * kTen);
  Solid<double> flat(law);  // strains in the plane stay elastic
  flat.point.history.store(ArupAdhesiveLaw::kThickness, kLayer);
  flat.step({-0.05, 0, 0, 0.01, 0, 0});
  EXPECT_NEAR(flat.point.s[0], -0.05 * kWave, 1e-12);
  EXPECT_NEAR(flat.point.s[3], 0.01 * kGlue, 1e-12);
}

TEST(ArupAdhesive, PressureStrengthensShearAndDoesNotBreak) {
  const double slope = 0.5, pressure = 0.05;
  const Prepared law = prepare(model::Model(), adhesive({{"SHT_SL", slope}, {"SHRP", 0.5}}));
  Bond bond(law);
  bond.move(0, 0, -pressure * kLayer / kWave);
  const double normal = bond.solid.point.s[2];
  EXPECT_NEAR(normal, -pressure, 0.02 * pressure);
  for (int k = 0; k < 40000; ++k) bond.move(1e-6, 0, 0);
  EXPECT_NEAR(bond.solid.point.s[2], normal, 1e-3 * pressure);
  EXPECT_NEAR(bond.shear(), kShr - slope * bond.solid.point.s[2], 1e-9);
  Bond pressed(law);
  for (int k = 0; k < 100; ++k) pressed.move(0, 0, -1e-3);
  EXPECT_FALSE(pressed.solid.point.failed);
  EXPECT_LT(pressed.solid.point.plastic_strain, 1);
}

/// Sliding by three times the thickness does not turn the faces, so the traction stays along them.
TEST(ArupAdhesive, SlidesFar) {
  const Prepared law = prepare(model::Model(), adhesive({{"SHRP", 0.6}}));
  Bond bond(law, 0.1);
  for (int k = 0; k < 30000; ++k) {
    bond.move(1e-5, 0, 0);
    ASSERT_NEAR(bond.solid.point.s[2], 0, 1e-3 * kShr) << k;
    if (k == 15000) {
      EXPECT_NEAR(bond.shear(), kShr, 1e-4 * kShr);
    }
  }
  const double length = 2 * kGshr / (1.6 * kShr);  // 0.25
  EXPECT_GT(0.3, length);
  EXPECT_TRUE(bond.solid.point.failed);
  EXPECT_NEAR(bond.two / kGshr, 1, 1e-3);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(bond.solid.point.history.load<double>(6 + k), 0, 1e-3) << k;  // c is z
}

TEST(ArupAdhesive, FollowsItsAxis) {
  const Prepared law = prepare(model::Model(), adhesive());
  Solid<double> solid(law);
  const double axes[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};  // c is x
  for (int k = 0; k < 9; ++k) solid.point.history.store(k, axes[k] - (k % 4 == 0 ? 1 : 0));
  solid.point.history.store(ArupAdhesiveLaw::kThickness, 1e-9);
  for (int k = 0; k < 20; ++k) solid.step({1e-2, 0, 0, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[0], kTen, 1e-6);
  Solid<double> other(law);
  for (int k = 0; k < 9; ++k) other.point.history.store(k, axes[k] - (k % 4 == 0 ? 1 : 0));
  other.step({0, 0, 0.1, 0, 0, 0});
  EXPECT_GT(other.point.s[2], kTen);  // in the plane
}

TEST(ArupAdhesive, StaysBroken) {
  const Prepared law = prepare(model::Model(), adhesive());
  Bond bond = broken(law, 0.5);
  bond.move(0.1, 0.1, -0.1);
  EXPECT_TRUE(bond.solid.point.failed);
  for (const double s : bond.solid.point.s) EXPECT_EQ(s, 0);
  EXPECT_NEAR(bond.solid.point.plastic_strain, 2, 1e-12);
}

std::string refused_adhesive(Fields fields) {
  try {
    prepare(model::Model(), adhesive(fields));
  } catch (const Error& error) {
    return error.id();
  }
  return {};
}

TEST(ArupAdhesive, RefusesWhatMeansNothing) {
  EXPECT_EQ(refused_adhesive({}), "");
  EXPECT_EQ(refused_adhesive({{"TENMAX", 0.0}}), "CR-M103");
  EXPECT_EQ(refused_adhesive({{"GCSHR", -7.0}}), "CR-M105");
  EXPECT_EQ(refused_adhesive({{"PWRS", 0.5}}), "CR-M108");
  EXPECT_EQ(refused_adhesive({{"SHRP", 1.0}}), "CR-M108");
  EXPECT_EQ(refused_adhesive({{"SHRP", -3.0}}), "CR-M105");
  EXPECT_EQ(refused_adhesive({{"SHT_SL", 0.7}}), "CR-M108");
  EXPECT_EQ(refused_adhesive({{"SHT_SL", -0.1}}), "CR-M108");
  EXPECT_EQ(refused_adhesive({{"THKDIR", 2.0}}), "CR-M108");
  EXPECT_EQ(refused_adhesive({{"TENMAX", 1e20}, {"SHRMAX", 1e20}}), "");
}

TEST(ArupAdhesive, ALayerIsThinEnoughForItsEnergies) {
  EXPECT_NEAR(thickest_adhesive(adhesive()),
              std::min(2 * kWave * kGten / (kTen * kTen), 2 * kGlue * kGshr / (kShr * kShr)), 1e-12);
  EXPECT_NEAR(thickest_adhesive(adhesive({{"SHRP", 0.5}, {"TENMAX", 1e20}})),
              2 * kGlue * kGshr / (kShr * kShr) / 3, 1e-12);
  EXPECT_EQ(thickest_adhesive(adhesive({{"SHRMAX", 1e20}, {"TENMAX", 1e20}})), 0);
  EXPECT_EQ(thickest_adhesive(material(1, {})), 0);
}

}  // namespace
}  // namespace crumple::materials
