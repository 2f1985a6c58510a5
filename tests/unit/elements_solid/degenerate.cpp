// Degenerate bricks: recognised, with positive volume in their own node order.
#include "elements/solid/degenerate.hpp"

#include <gtest/gtest.h>

#include "elements/solid/geometry.hpp"

namespace crumple::test {
namespace {

using elements::solid::natural_form;
using Nodes = std::array<LocalId, 8>;

constexpr double kCube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

double hexahedron_volume(const Nodes& n, const double (&corner)[8][3]) {
  double x[8][3], b[8][3];
  for (int a = 0; a < 8; ++a)
    for (int i = 0; i < 3; ++i) x[a][i] = corner[n[a]][i];
  elements::hexahedron_gradient(x, b);
  return elements::volume_of(x, b);
}

TEST(NaturalForm, BricksAndPyramidsStay) {
  Nodes out;
  EXPECT_EQ(natural_form({1, 2, 3, 4, 5, 6, 7, 8}, out), 1);
  EXPECT_EQ(out, (Nodes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(natural_form({1, 2, 3, 4, 5, 5, 5, 5}, out), 1);
  EXPECT_EQ(out, (Nodes{1, 2, 3, 4, 5, 5, 5, 5}));
}

TEST(NaturalForm, Tetrahedra) {
  Nodes out;
  EXPECT_EQ(natural_form({1, 2, 3, 4, 4, 4, 4, 4}, out), 10);
  EXPECT_EQ(out, (Nodes{1, 2, 3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(natural_form({1, 2, 3, 3, 5, 5, 5, 5}, out), 10);
  EXPECT_EQ(out, (Nodes{1, 2, 3, 5, 5, 5, 5, 5}));
}

TEST(NaturalForm, LsDynaWedge) {
  Nodes out;
  EXPECT_EQ(natural_form({1, 2, 3, 4, 5, 5, 6, 6}, out), 15);
  EXPECT_EQ(out, (Nodes{1, 5, 2, 4, 6, 3, 3, 3}));
}

/// Every pair of parallel edges of every face: the wedge, written as the LS-DYNA brick of its own corners,
/// must have the volume of the collapsed brick, so its order is right side out and complete.
TEST(NaturalForm, EveryCollapsedFaceKeepsTheVolume) {
  const int faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                           {3, 2, 6, 7}, {0, 3, 7, 4}, {1, 2, 6, 5}};
  for (const auto& f : faces)
    for (int way = 0; way < 2; ++way) {
      const int a = f[0], b = f[way == 0 ? 1 : 3], c = f[way == 0 ? 3 : 1], d = f[2];
      Nodes n{0, 1, 2, 3, 4, 5, 6, 7};
      n[static_cast<std::size_t>(b)] = a;
      n[static_cast<std::size_t>(d)] = c;
      Nodes w;
      ASSERT_EQ(natural_form(n, w), 15) << a << b << c << d;
      const double brick = hexahedron_volume(n, kCube);
      // Wedge 1 2 3 / 4 5 6 as a brick: 1 2 3 3 4 5 6 6.
      EXPECT_NEAR(brick, 0.5, 1e-15);
      EXPECT_NEAR(hexahedron_volume({w[0], w[1], w[2], w[2], w[3], w[4], w[5], w[5]}, kCube), brick, 1e-15)
          << a << b << c << d;
    }
}

TEST(FormOfSolid, HasTheFormulationOfItsShape) {
  const auto form = [](int elform, const std::vector<LocalId>& corners) {
    return elements::form_of(model::ElementKind::solid, elform, corners);
  };
  const std::vector<LocalId> brick{1, 2, 3, 4, 5, 6, 7, 8}, tetrahedron{1, 2, 3, 4, 4, 4, 4, 4},
      wedge{1, 2, 3, 4, 5, 5, 6, 6};
  for (const int elform : {1, 2, -1, -2}) {
    EXPECT_EQ(form(elform, brick).elform, elform);
    EXPECT_EQ(form(elform, tetrahedron).elform, 10);
    EXPECT_EQ(form(elform, wedge).elform, 15);
  }
  for (const int elform : {10, 13, 15}) {
    EXPECT_EQ(form(elform, brick).elform, 1);
    EXPECT_EQ(form(elform, tetrahedron).elform, elform == 13 ? 13 : 10);
    EXPECT_EQ(form(elform, wedge).elform, 15);
  }
  EXPECT_EQ(form(1, brick).nodes, brick);
  EXPECT_EQ(form(2, tetrahedron).nodes, (std::vector<LocalId>{1, 2, 3, 4}));
  EXPECT_EQ(form(2, wedge).nodes.size(), 6U);
}

}  // namespace
}  // namespace crumple::test
