// The pfile's words, the coordinates they make, and the regions they cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "base/error.hpp"
#include "decomposition/directions.hpp"

namespace crumple::decomposition {

namespace {

/// What all transformations of a pfile make of a point.
Vec3 moved(const std::string& words, Vec3 x) {
  for (const Transformation& t : parse_pfile("decomp { " + words + " }", "p").transformations) x = t(x);
  return x;
}

void expect_near(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-12) << k;
}

}  // namespace

TEST(Pfile, Directions) {
  const Directions d = parse_pfile(
      "# stretch\nDECOMP { sx 2 silist 3,4 numproc 8 show\n region { parts 1 2 lumped }\n"
      " region { box 0 1 0 1 -1e3 1.5e3 sy 3 nproc 2 } method rcb rcblog rcb.txt }\ngeneral { nodump }\n",
      "pfile");
  EXPECT_EQ(d.ranks, 8);
  EXPECT_TRUE(d.show);
  EXPECT_EQ(d.method, Method::rcb);
  ASSERT_EQ(d.transformations.size(), 1u);
  ASSERT_EQ(d.regions.size(), 3u);
  EXPECT_EQ(d.regions[0].contacts, (std::vector<GlobalId>{3, 4}));
  EXPECT_EQ(d.regions[1].parts, (std::vector<GlobalId>{1, 2}));
  EXPECT_EQ(d.regions[1].ranks, 1);
  ASSERT_TRUE(d.regions[2].box);
  EXPECT_EQ(d.regions[2].box->at(5), 1500.0);
  EXPECT_EQ(d.regions[2].ranks, 2);
  EXPECT_EQ(d.ignored, (std::vector<std::string>{"pfile:4 rcblog", "pfile:4 rcb.txt", "pfile:5 general"}));
  const Directions misspelt = parse_pfile("decomp {\n silst 17\n sylist 3 }", "p");
  EXPECT_EQ(misspelt.ignored[0], "p:2 silst (did you mean silist?)");
}

TEST(Pfile, TransformationsActInTheirOrder) {
  expect_near(moved("sx 2 sy 3 sz 4", {1, 1, 1}), {2, 3, 4});
  expect_near(moved("rz 90", {1, 0, 5}), {0, 1, 5});
  expect_near(moved("rx 90", {0, 1, 0}), {0, 0, 1});
  expect_near(moved("ry 90", {0, 0, 1}), {1, 0, 0});
  expect_near(moved("rz 90 sy 10", {1, 0, 0}), {0, 10, 0});
  expect_near(moved("sy 10 rz 90", {1, 0, 0}), {0, 1, 0});
  expect_near(moved("mat 0 1 0 0 0 1 1 0 0", {1, 2, 3}), {2, 3, 1});
  // Three vectors become the axes.
  expect_near(moved("3vec 2 0 0 1 1 0 0 0 1", {3, 1, 7}), {1, 1, 7});
}

TEST(Pfile, RoundCoordinates) {
  const double quarter = std::numbers::pi / 2;
  expect_near(moved("c2r 1 0 0 0 0 2 1 0 0", {1, 3, 5}), {3, quarter, 5});
  expect_near(moved("s2r 0 0 0 0 0 1 1 0 0", {0, 2, 0}), {2, quarter, quarter});
}

TEST(Pfile, MistakesAreNamed) {
  for (const auto& [text, line, words] :
       {std::tuple("decomp { sx }", 1, "a number of sx"), std::tuple("decomp {\n sx 2", 2, "'}'"),
        std::tuple("decomp { silist 1.5 }", 1, "a whole number of silist"),
        std::tuple("decomp { silist 1, 1e22 }", 1, "a whole number of silist"),
        std::tuple("decomp { numproc 3e9 }", 1, "a whole number of numproc"),
        std::tuple("decomp\nsx 2", 2, "'{' after decomp"),
        std::tuple("decomp {\n region { sx 2 } }", 2, "names no elements")}) {
    try {
      parse_pfile(text, "pf");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-P020");
      EXPECT_EQ(error.place().line, line) << text;
      EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
    }
  }
}

}  // namespace crumple::decomposition
