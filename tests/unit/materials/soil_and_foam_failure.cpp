// MAT_014: as MAT_005 until it is torn, then no tension.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

Prepared soil_of(int law, Fields fields = {}) {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.5}, {0, 0.5, 4.5})};
  return prepare(
      m,
      with_fields(
          material(law, {{"G", 3.0}, {"KUN", 20.0}, {"LCID", 5.0}, {"A0", 0.04}, {"A1", 0.1}, {"PC", -0.1}}),
          fields));
}

// Sheared and pressed, and pulled not quite to PC: the same bits.
TEST(SoilAndFoamFailure, IsSoilAndFoamUntilItTears) {
  const Prepared whole = soil_of(5), tears = soil_of(14);
  StretchedPoint a(whole), b(tears);
  const double way[][3] = {
      {0.95, 0.98, 1}, {0.8, 0.9, 0.95}, {0.805, 0.9, 0.95}, {0.7, 0.8, 0.9}, {0.702, 0.8, 0.9}};
  for (const auto& to : way) {
    a.to(to[0], to[1], to[2]);
    b.to(to[0], to[1], to[2]);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(a.solid.point.s[k], b.solid.point.s[k]);
    EXPECT_FALSE(b.solid.point.failed);
  }
}

TEST(SoilAndFoamFailure, HasNoTensionOnceItIsTorn) {
  const Prepared law = soil_of(14);
  StretchedPoint point(law);
  const auto volume = [&](double strain) {
    const double l = std::exp(strain / 3);
    point.to(l, l, l);
  };
  volume(0.0049);
  EXPECT_NEAR(point.solid.point.s[0], 0.0049 * 20, 1e-9);
  volume(0.0051);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(point.solid.point.s[k], 0);
  volume(0.004);  // above PC, below 0
  point.to(point.stretch[0] * 1.001, point.stretch[1] / 1.001, point.stretch[2]);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(point.solid.point.s[k], 0);
  volume(0.004);
  volume(-0.05);
  EXPECT_NEAR(point.solid.point.s[0], -0.25, 1e-9);
  // Sheared under pressure up to its strength.
  point.solid.steps(100, {0, 0, 0, 1, 0, 0});
  EXPECT_NEAR(point.solid.point.s[3], std::sqrt(0.04 + 0.1 * 0.25), 1e-9);
  volume(0.001);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(point.solid.point.s[k], 0);
  EXPECT_FALSE(point.solid.point.failed);
}

TEST(SoilAndFoamFailure, RefusesWhatSoilAndFoamDoes) {
  EXPECT_THROW(soil_of(14, {{"PC", 0.1}}), Error);
  EXPECT_THROW(soil_of(14, {{"KUN", 0.0}}), Error);
  EXPECT_THROW(soil_of(14, {{"LCID", 9.0}}), Error);
}

}  // namespace
}  // namespace crumple::materials
