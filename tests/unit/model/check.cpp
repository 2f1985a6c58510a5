// Masses, centres, steps and the report.
#include "model/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

std::array<Vec3, 8> cube() {
  return {Vec3{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
}

TEST(SolidVolume, CubeWedgeTetrahedronAndFrustum) {
  const auto c = cube();
  EXPECT_NEAR(solid_volume(c).volume, 1.0, 1e-14);
  EXPECT_NEAR(solid_volume(c).centre.x, 0.5, 1e-14);
  const VolumeAndCentre wedge = solid_volume({c[0], c[1], c[2], c[2], c[4], c[5], c[6], c[6]});
  EXPECT_NEAR(wedge.volume, 0.5, 1e-14);
  EXPECT_NEAR(wedge.centre.x, 2.0 / 3.0, 1e-14);
  const VolumeAndCentre tetrahedron = solid_volume({c[0], c[1], c[2], c[2], c[4], c[4], c[4], c[4]});
  EXPECT_NEAR(tetrahedron.volume, 1.0 / 6.0, 1e-14);
  EXPECT_NEAR(tetrahedron.centre.z, 0.25, 1e-14);
  // Frustum of a pyramid: bottom 2 x 2, top 1 x 1, height 3: h / 3 (a^2 + a b + b^2).
  const VolumeAndCentre frustum = solid_volume({Vec3{-1, -1, 0},
                                                {1, -1, 0},
                                                {1, 1, 0},
                                                {-1, 1, 0},
                                                {-0.5, -0.5, 3},
                                                {0.5, -0.5, 3},
                                                {0.5, 0.5, 3},
                                                {-0.5, 0.5, 3}});
  EXPECT_NEAR(frustum.volume, 7.0, 1e-13);
  // Its centre: h / 4 (a^2 + 2 a b + 3 b^2) / (a^2 + a b + b^2) above the larger base.
  EXPECT_NEAR(frustum.centre.z, 3.0 / 4.0 * (4.0 + 4.0 + 3.0) / 7.0, 1e-13);
}

TEST(Check, MassesAndCentre) {
  const BuiltDeck d = plate_and(R"(*SECTION_BEAM
2,3
0.25
*PART
rod
2,2,1
*NODE
7,4,0,0
9,0,0,8
*ELEMENT_BEAM
1,2,3,7
*ELEMENT_MASS
1,4,3.0
*SECTION_SOLID
8
*DEFINE_CURVE
4
0,0
1,1
)");
  EXPECT_EQ(d.problems(), "");
  const ModelCheck c = check_model(d.model);
  EXPECT_EQ(c.quadrilaterals, 2u);
  EXPECT_DOUBLE_EQ(c.parts[0].mass, 2.0 * 2.0 * 0.5);
  EXPECT_DOUBLE_EQ(c.parts[0].thickness, 0.5);
  EXPECT_DOUBLE_EQ(c.parts[1].mass, 2.0 * 0.25 * 2.0);
  EXPECT_DOUBLE_EQ(c.mass, 2.0 + 1.0 + 3.0);
  EXPECT_DOUBLE_EQ(c.centre.x, (2.0 * 1.0 + 1.0 * 3.0 + 0.0) / 6.0);
  EXPECT_DOUBLE_EQ(c.centre.y, (2.0 * 0.5 + 0.0 + 3.0 * 1.0) / 6.0);
  EXPECT_EQ(c.unreferenced.nodes, (std::vector<GlobalId>{9}));
  EXPECT_EQ(c.unreferenced.sections, (std::vector<GlobalId>{8}));
  EXPECT_EQ(c.unreferenced.curves, (std::vector<GlobalId>{4}));
}

TEST(Check, GivenMassesOfBodiesReplaceThoseOfElements) {
  const BuiltDeck d = plate_and(
      "*PART_INERTIA\nbody\n2,1,2\n0.5,0.5,0.0,30.0\n1,0,0,1,0,1\n\n*MAT_RIGID\n2,1.0,1.0,0.3\n"
      "*NODE\n21,0,0,5\n22,1,0,5\n23,1,1,5\n24,0,1,5\n*ELEMENT_SHELL\n31,2,21,22,23,24\n");
  EXPECT_EQ(d.problems(), "");
  const ModelCheck c = check_model(d.model);
  EXPECT_DOUBLE_EQ(c.mass, 2.0 + 30.0);
  EXPECT_DOUBLE_EQ(c.centre.z, 0.0);
}

TEST(Check, TubesHaveTheAreaOfARing) {
  Section s;
  s.cross_section = 1;
  s.ts = {4.0, 4.0};
  s.tt = {2.0, 2.0};
  EXPECT_DOUBLE_EQ(beam_area(s), std::numbers::pi * 3.0);
}

TEST(Check, StepsComeFromLengthAndSpeedOfSound) {
  const BuiltDeck d = plate_and("*ELEMENT_SHELL\n21,1,1,2,5,5\n");
  const auto steps = geometric_steps(d.model, 2);
  const double c = std::sqrt(100.0 / (2.0 * (1.0 - 0.09)));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].element, 21);  // twice the area over the longest side: 1 / sqrt 2
  EXPECT_NEAR(steps[0].dt, std::sqrt(0.5) / c, 1e-15);
  EXPECT_EQ(steps[1].element, 11);
  EXPECT_NEAR(steps[1].dt, 1.0 / c, 1e-15);
}

TEST(Check, ReportFitsIntoAHundredColumns) {
  std::string more;
  for (int p = 100; p < 140; ++p)
    more += "*PART\na heading that is far too long for the column it is in\n" + std::to_string(p) + ",1,1\n";
  for (int p = 100; p < 140; ++p)
    more += "*ELEMENT_SHELL\n" + std::to_string(p) + "," + std::to_string(p) + ",1,2,5,4\n";
  for (int n = 10000000; n < 10000100; ++n) more += "*NODE\n" + std::to_string(n) + ",0,0,0\n";
  const BuiltDeck d = plate_and(more);
  const FirstStep first{1e-4, "0.9 of the smallest element's", geometric_steps(d.model)};
  std::istringstream lines(to_text(check_model(d.model), first, "kg-mm-ms"));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace crumple::model
