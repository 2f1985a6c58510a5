// MAT_001, null and rigid against Hooke's law.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

TEST(Elastic, UniaxialStrainInASolid) {
  const Prepared law = prepare({}, material(1, {}));
  Solid<double> p(law);
  p.step({1e-3, 0, 0, 0, 0, 0});
  const double k = 210 / (3 * 0.4), g = 210 / 2.6;
  EXPECT_DOUBLE_EQ(p.point.s[0], (k + 4 * g / 3) * 1e-3);
  EXPECT_DOUBLE_EQ(p.point.s[1], (k - 2 * g / 3) * 1e-3);
  EXPECT_DOUBLE_EQ(law.elastic.bulk, k);
  EXPECT_DOUBLE_EQ(law.elastic.shear, g);
}

TEST(Elastic, EngineeringShear) {
  const Prepared law = prepare({}, material(1, {}));
  Solid<double> solid(law);
  Shell<double> shell(law);
  Beam<double> beam(law);
  solid.step({0, 0, 0, 1e-3, 2e-3, 3e-3});
  shell.step({0, 0, 0, 1e-3, 2e-3, 3e-3});
  beam.step({0, 1e-3, 3e-3});
  const double g = 210 / 2.6;
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(solid.point.s[3 + i], g * (i + 1) * 1e-3);
    EXPECT_DOUBLE_EQ(shell.point.s[3 + i], g * (i + 1) * 1e-3);
  }
  EXPECT_DOUBLE_EQ(beam.point.s[1], g * 1e-3);
  EXPECT_DOUBLE_EQ(beam.point.s[2], g * 3e-3);
}

TEST(Elastic, PlaneStressThinsAsASolidWithAFreeFace) {
  const Prepared law = prepare({}, material(1, {}));
  Shell<double> shell(law);
  shell.step({1e-3, -4e-4, 0, 0, 0, 0});
  Solid<double> solid(law);
  solid.step({1e-3, -4e-4, shell.point.d[2], 0, 0, 0});
  EXPECT_NEAR(solid.point.s[2], 0, 1e-15);
  EXPECT_NEAR(solid.point.s[0], shell.point.s[0], 1e-15);
  EXPECT_NEAR(solid.point.s[1], shell.point.s[1], 1e-15);
  EXPECT_EQ(shell.point.s[2], 0);
}

TEST(Elastic, BeamHasYoungsModulus) {
  const Prepared law = prepare({}, material(1, {}));
  Beam<double> beam(law);
  beam.step({1e-3, 0, 0});
  EXPECT_DOUBLE_EQ(beam.point.s[0], 0.21);
  EXPECT_FALSE(beam.point.failed);
}

TEST(Null, CarriesNoStressButConstantsForContact) {
  const Prepared law = prepare({}, material(9, {{"YM", 3.0}, {"PR", 0.25}}));
  EXPECT_TRUE(law.law.row->null);
  EXPECT_DOUBLE_EQ(law.elastic.young, 3.0);
  EXPECT_DOUBLE_EQ(law.elastic.bulk, 2.0);
  Shell<double> shell(law);
  shell.step({1e-3, 0, 0, 1, 1, 1});
  for (const double s : shell.point.s) EXPECT_EQ(s, 0);
}

TEST(Rigid, FeedsContactAndMass) {
  const Prepared law = prepare({}, material(20, {}));
  EXPECT_TRUE(law.law.row->rigid);
  EXPECT_DOUBLE_EQ(law.elastic.young, 210.0);
  EXPECT_DOUBLE_EQ(law.density, 7.8e-6);
}

}  // namespace
}  // namespace crumple::materials
