// Directions of materials in elements: each AOPT by hand, and what elements have of their own.
#include "model/material_axes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

constexpr double kRoot = 0.70710678118654752;  ///< of 1 / 2

using Corners = std::array<Vec3, 8>;

/// A brick of 2 x 1 x 3 from the origin.
constexpr Corners kBrick{
    {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0, 0, 3}, {2, 0, 3}, {2, 1, 3}, {0, 1, 3}}};
/// A square with side 1-2 along y, in the plane z = 0, whose normal is z.
constexpr std::array<Vec3, 4> kSquare{{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}}};

Material with(const std::map<std::string, double>& fields) {
  Material m;
  m.id = 3;
  m.name = "MAT_ORTHOTROPIC_ELASTIC";
  m.fields = fields;
  return m;
}
AxesRule rule(const std::map<std::string, double>& fields) {
  Model model;
  model.systems = {{7, {}, {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}}};
  return axes_rule(model, with(fields));
}
Axes in_brick(const std::map<std::string, double>& fields, const OwnAxes& own = {}) {
  return axes_in_solid(rule(fields), kBrick, own);
}
Vec3 in_square(const std::map<std::string, double>& fields, const OwnAxes& own = {}) {
  return axis_in_shell(rule(fields), kSquare, own);
}

void expect_near(const Vec3& a, const Vec3& b, const char* what) {
  EXPECT_LT(norm(a - b), 1e-14) << what << ": " << a.x << ' ' << a.y << ' ' << a.z;
}
void expect_axes(const Axes& axes, const Vec3& a, const Vec3& b, const Vec3& c) {
  expect_near(axes[0], a, "a");
  expect_near(axes[1], b, "b");
  expect_near(axes[2], c, "c");
}

std::string id_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.id();
  }
  return "";
}

/// Laws with THKDIR: c is normal to the layer, whatever the order of its nodes.
TEST(MaterialAxes, GoThroughTheThicknessOfALayer) {
  const AxesRule smallest = rule({{"THKDIR", 0}}), given = rule({{"THKDIR", 1}});
  const Axes thin = axes_in_solid(smallest, kBrick, {}), third = axes_in_solid(given, kBrick, {});
  expect_near(thin[2], {0, 1, 0}, "c");  // of 2 x 1 x 3
  expect_near(third[2], {0, 0, 1}, "c");
  expect_near(cross(thin[0], thin[1]), thin[2], "right-handed");
  EXPECT_NEAR(thickness_of_layer(smallest, kBrick), 1, 1e-14);
  EXPECT_NEAR(thickness_of_layer(given, kBrick), 3, 1e-14);
  Corners sheared = kBrick;
  for (std::size_t k = 4; k < 8; ++k) sheared[k] += Vec3{1, 0.5, 0};
  EXPECT_NEAR(thickness_of_layer(given, sheared), 3, 1e-14);
  expect_near(axes_in_solid(given, sheared, {})[2], {0, 0, 1}, "c");
  Corners wedge = kBrick;
  wedge[3] = wedge[2];
  wedge[7] = wedge[6];
  EXPECT_EQ(id_of([&] { axes_in_solid(given, wedge, {}); }), "CR-E204");
}

TEST(MaterialAxes, OfSolidsByTheirNodes) { expect_axes(in_brick({}), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}); }

TEST(MaterialAxes, OfSolidsFromAPoint) {
  // The middle is (1, 0.5, 1.5); from P = (1, 0.5 - 2, 1.5) the axis a is y, d = z: c = x, b = z.
  expect_axes(in_brick({{"AOPT", 1}, {"XP", 1}, {"YP", -1.5}, {"ZP", 1.5}}), {0, 1, 0}, {0, 0, 1}, {1, 0, 0});
}

TEST(MaterialAxes, OfSolidsByVectors) {
  expect_axes(in_brick({{"AOPT", 2}, {"A1", 0}, {"A2", 3}, {"D1", -1}, {"D2", 5}}), {0, 1, 0}, {-1, 0, 0},
              {0, 0, 1});
  EXPECT_EQ(id_of([] { in_brick({{"AOPT", 2}, {"A1", 1}, {"D1", 2}}); }), "CR-E204");
}

TEST(MaterialAxes, OfSolidsByTheirMiddleSurface) {
  // n = z: a = v x n.
  expect_axes(in_brick({{"AOPT", 3}, {"V1", 0}, {"V2", 2}, {"V3", 1}}), {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  expect_axes(in_brick({{"AOPT", 3}, {"V2", 1}, {"BETA", 90}}), {0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
}

TEST(MaterialAxes, OfSolidsAroundAnAxis) {
  // The axis is z through (1, 2, 0): a points away from it, to -y; b = z, c = a x d = -x.
  expect_axes(in_brick({{"AOPT", 4}, {"XP", 1}, {"YP", 2}, {"V3", 4}}), {0, -1, 0}, {0, 0, 1}, {-1, 0, 0});
}

TEST(MaterialAxes, OfSolidsByACoordinateSystem) {
  expect_axes(in_brick({{"AOPT", -7}}), {0, 0, 1}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(id_of([] { rule({{"AOPT", -8}}); }), "CR-M106");
}

TEST(MaterialAxes, Exchanged) {
  expect_axes(in_brick({{"MACF", 2}}), {0, 1, 0}, {1, 0, 0}, {0, 0, -1});
  expect_axes(in_brick({{"MACF", 3}}), {0, 0, 1}, {0, -1, 0}, {1, 0, 0});
  expect_axes(in_brick({{"MACF", -4}}), {-1, 0, 0}, {0, 0, 1}, {0, 1, 0});
  EXPECT_EQ(id_of([] { rule({{"AOPT", 3}, {"V2", 1}, {"BETA", 30}, {"MACF", -2}}); }), "CR-M105");
  EXPECT_EQ(id_of([] { rule({{"MACF", 5}}); }), "CR-M105");
}

TEST(MaterialAxes, OfTheSolidItself) {
  OwnAxes angle;
  angle.angle = M_PI / 4;
  expect_axes(in_brick({{"BETA", 10}}, angle), {kRoot, kRoot, 0}, {-kRoot, kRoot, 0}, {0, 0, 1});
  OwnAxes vectors;
  vectors.a = {0, 2, 0};
  vectors.d = {0, 0, 1};
  expect_axes(in_brick({{"AOPT", 3}, {"V2", 1}, {"BETA", 10}}, vectors), {0, 1, 0}, {0, 0, 1}, {1, 0, 0});
}

TEST(MaterialAxes, OfShells) {
  expect_near(in_square({}), {0, 1, 0}, "side 1-2");
  expect_near(in_square({{"BETA", 90}}), {-1, 0, 0}, "side 1-2, turned");
  expect_near(in_square({{"MANGLE", 90}, {"BETA", 0.5}}), {-1, 0, 0}, "MANGLE");
  expect_near(in_square({{"AOPT", 2}, {"A1", 1}, {"A3", 9}, {"BETA", 90}}), {1, 0, 0}, "projected");
  expect_near(in_square({{"AOPT", 3}, {"V1", 1}}), {0, -1, 0}, "v x n");
  expect_near(in_square({{"AOPT", 3}, {"V1", 1}, {"BETA", 90}}), {1, 0, 0}, "v x n, turned");
  EXPECT_EQ(id_of([] { in_square({{"AOPT", 1}}); }), "CR-M105");
  EXPECT_EQ(id_of([] { in_square({{"AOPT", 4}, {"V1", 1}}); }), "CR-M105");
  EXPECT_EQ(id_of([] { in_square({{"AOPT", -7}}); }), "CR-E105") << "its x is the normal";
}

TEST(MaterialAxes, OfTheShellItself) {
  OwnAxes own;
  own.angle = -M_PI / 2;
  expect_near(in_square({{"BETA", 30}}, own), {1, 0, 0}, "in place of BETA");
  expect_near(in_square({{"AOPT", 2}, {"A1", 1}}, own), {0, -1, 0}, "whatever AOPT is");
  const Axes system{{{1, 1, 1}, {}, {}}};
  OwnAxes by_system;
  by_system.system = &system;
  expect_near(in_square({{"AOPT", 3}, {"V1", 1}, {"BETA", 30}}, by_system), {kRoot, kRoot, 0}, "MCID");
}

TEST(MaterialAxes, OfATriangle) {
  const std::array<Vec3, 4> corners{{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {0, 1, 0}}};
  expect_near(axis_in_shell(rule({}), corners, {}), {kRoot, 0, kRoot}, "side 1-2");
}

TEST(MaterialAxes, NoneAreRefused) {
  EXPECT_EQ(id_of([] { rule({{"AOPT", 2}}); }), "CR-M108");
  EXPECT_EQ(id_of([] { rule({{"AOPT", 3}}); }), "CR-M108");
  EXPECT_EQ(id_of([] { rule({{"AOPT", 4}}); }), "CR-M108");
  EXPECT_EQ(id_of([] { rule({{"AOPT", 5}}); }), "CR-M105");
  EXPECT_EQ(id_of([] { rule({{"AOPT", 2.5}}); }), "CR-M105");
}

TEST(MaterialAxes, AreReadFromElements) {
  const BuiltDeck deck = plate_and(
      "*ELEMENT_SHELL_BETA\n13,1,1,2,5,4\n0,0,0,0,30.\n"
      "*ELEMENT_SHELL_MCID\n14,1,2,3,6,5\n0,0,0,0,4\n"
      "*DEFINE_COORDINATE_VECTOR\n4,0,1,0,-1,0,0\n");
  const Shells& s = deck.model.shells;
  ASSERT_EQ(s.size(), 4u) << deck.problems();
  EXPECT_TRUE(std::isnan(s.angle[0]));
  EXPECT_NEAR(s.angle[2], M_PI / 6, 1e-15);
  EXPECT_EQ(s.system[2], kNone);
  EXPECT_EQ(s.system[3], 0);
  EXPECT_TRUE(std::isnan(s.angle[3]));
}

TEST(MaterialAxes, LayersOfAPart) {
  std::string text(kPlate);
  text +=
      "*PART_COMPOSITE\nlaminate\n5,2,0.8,-1.,0.5\n1,0.1,0.,0,2,0.2,45.\n1,0.1,-45.\n"
      "*MAT_ORTHOTROPIC_ELASTIC\n2,2.0,100.,50.,50.,0.1,0.1,0.1\n5.,5.,5.\n\n\n"
      "*ELEMENT_SHELL\n15,5,1,2,5,4\n";
  const BuiltDeck deck = build(text + "*END\n");
  EXPECT_EQ(deck.problems(), "") << "laws may differ";
  ASSERT_EQ(deck.model.sections.size(), 2u);
  const Section& s = deck.model.sections[1];
  ASSERT_EQ(s.plies.size(), 3u);
  EXPECT_EQ(s.plies[1].material, 1);
  EXPECT_NEAR(s.plies[1].angle, M_PI / 4, 1e-15);
  EXPECT_NEAR(s.thickness[0], 0.4, 1e-15);
  EXPECT_EQ(s.nip, 3);
  EXPECT_EQ(s.shear_factor, 0.8);
  EXPECT_EQ(s.nloc, -1.0);
  EXPECT_EQ(s.marea, 0.5);
}

TEST(MaterialAxes, AnglesOfASection) {
  std::string text(kPlate);
  text.replace(text.find("1,2,0.8333,5\n0.5,0.5,0.5,0.5"),
               std::string("1,2,0.8333,5\n0.5,0.5,0.5,0.5").size(),
               "1,2,0.8333,3,0,0,1\n0.5,0.5,0.5,0.5\n0.,90.,-30.");
  const BuiltDeck deck = build(text + "*END\n");
  const std::vector<double>& angles = deck.model.sections[0].angles;
  ASSERT_EQ(angles.size(), 3u) << deck.problems();
  EXPECT_NEAR(angles[1], M_PI / 2, 1e-15);
  EXPECT_NEAR(angles[2], -M_PI / 6, 1e-15);
}

}  // namespace
}  // namespace crumple::model
