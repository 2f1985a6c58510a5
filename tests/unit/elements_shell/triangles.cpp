// Which formulation computes a shell with repeated nodes, and with which nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "elements/of_deck.hpp"

namespace crumple::test {
namespace {

using Nodes = std::vector<LocalId>;

elements::Form form_of(int elform, const Nodes& corners) {
  return elements::form_of(model::ElementKind::shell, elform, corners);
}

TEST(FormOfShell, QuadrilateralsStayAndAreNoTriangles) {
  for (const int elform : {2, 5, 10, 16, -16}) {
    EXPECT_EQ(form_of(elform, {1, 2, 3, 4}).elform, elform);
    EXPECT_EQ(form_of(elform, {1, 2, 3, 4}).nodes, (Nodes{1, 2, 3, 4}));
  }
  EXPECT_EQ(form_of(4, {1, 2, 3, 4}).elform, 2);
}

TEST(FormOfShell, TwoEqualNeighboursMakeATriangleOfTheSameOrientation) {
  const Nodes cases[] = {{1, 2, 3, 3}, {3, 1, 2, 3}, {3, 3, 1, 2}, {2, 3, 3, 1}};
  for (const Nodes& corners : cases)
    for (const int elform : {2, 4, 10, 16, -16}) {
      const elements::Form form = form_of(elform, corners);
      EXPECT_EQ(form.elform, 4);
      Nodes from_one = form.nodes;
      std::rotate(from_one.begin(), std::find(from_one.begin(), from_one.end(), 1), from_one.end());
      EXPECT_EQ(from_one, (Nodes{1, 2, 3}));
    }
}

TEST(FormOfShell, TrianglesOfAMembraneAreMembranes) {
  EXPECT_EQ(form_of(5, {1, 2, 3, 3}).elform, 5);
  EXPECT_EQ(form_of(5, {1, 2, 3, 3}).nodes, (Nodes{3, 1, 2, 2}));
  EXPECT_EQ(elements::fixed_layers(model::ElementKind::shell, 5), 1);
  EXPECT_EQ(elements::fixed_layers(model::ElementKind::shell, 2), 0);
}

TEST(FormOfShell, AnUnknownFormulationKeepsItsCorners) {
  EXPECT_EQ(form_of(4711, {1, 2, 3, 3}).elform, 4711);
  EXPECT_EQ(form_of(4711, {1, 2, 3, 3}).nodes, (Nodes{1, 2, 3, 3}));
}

}  // namespace
}  // namespace crumple::test
