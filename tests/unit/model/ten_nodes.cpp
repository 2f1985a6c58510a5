// Tetrahedra with ten nodes: what is read, refused, and their faces.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "built_deck.hpp"
#include "model/element_rows.hpp"
#include "model/solid_faces.hpp"

namespace crumple::model {
namespace {

/// One or two tetrahedra; nodes 21 to 26 are in the middle of the edges of the first.
BuiltDeck deck(const std::string& elform, const std::string& elements) {
  return build(R"(*KEYWORD
*CONTROL_TERMINATION
1.0
*PART
block
1,1,1
*SECTION_SOLID
1,)" + elform + R"(
*MAT_ELASTIC
1,2.0,100.0,0.3
*NODE
1,0,0,0
2,2,0,0
3,0,2,0
4,0,0,2
5,0,0,-2
21,1,0,0
22,1,1,0
23,0,1,0
24,0,0,1
25,1,0,1
26,0,1,1
34,0,0,-1
35,1,0,-1
36,0,1,-1
*ELEMENT_SOLID
)" + elements + "*END\n");
}

const std::string kFirst = "1,1\n1,2,3,4,21,22,23,24,25,26\n", kSecond = "2,1\n1,3,2,5,23,22,21,34,36,35\n";

TEST(TenNodes, CornersAndMiddlesAreRead) {
  const BuiltDeck d = deck("16", kFirst + kSecond);
  EXPECT_EQ(d.problems(), "");
  const Solids& s = d.model.solids;
  ASSERT_EQ(s.middle.size(), 2u);
  EXPECT_EQ(ids(d.model, {s.nodes[0].begin(), s.nodes[0].end()}),
            (std::vector<GlobalId>{1, 2, 3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(ids(d.model, {s.middle[0].begin(), s.middle[0].end()}),
            (std::vector<GlobalId>{21, 22, 23, 24, 25, 26}));
  std::vector<LocalId> all;
  rows_of(s).each_node(0, [&](LocalId n) {
    if (std::ranges::find(all, n) == all.end()) all.push_back(n);
  });
  EXPECT_EQ(all.size(), 10u);
}

TEST(TenNodes, AreForOneFormOnly) {
  EXPECT_TRUE(deck("10", kFirst).reported("CR-E209"));
  EXPECT_TRUE(deck("16", "1,1,1,2,3,4,4,4,4,4\n").reported("CR-E209"));
  EXPECT_TRUE(deck("16", "1,1\n1,2,3,4,21,22,23,24,25,25\n").reported("CR-E209"));
  EXPECT_TRUE(deck("16", "1,1\n1,2,3,4,21,22,23,24,0,26\n").reported("CR-D303"));
  EXPECT_TRUE(deck("17", kFirst).reported("17"));
}

TEST(TenNodes, EachFaceIsFourTriangles) {
  const BuiltDeck d = deck("16", kFirst + kSecond);
  const auto faces = faces_of(d.model, 0);
  ASSERT_EQ(faces.size(), 16u);
  double area = 0;
  Vec3 sum;
  for (const SolidFace& face : faces) {
    const auto& x = d.model.nodes.x;
    const auto& n = face.nodes;
    const Vec3 normal = 0.5 * cross(x[n[1]] - x[n[0]], x[n[2]] - x[n[0]]);
    area += norm(normal);
    sum += normal;
    const auto below = below_face(d.model, 0, face.nodes);
    const std::set<LocalId> others(below.begin(), below.end());
    EXPECT_EQ(others.size(), 4u);
    for (const LocalId node : below) EXPECT_LT(dot(x[node] - x[n[0]], normal), -1e-9);
  }
  EXPECT_NEAR(area, 3 * 2 + std::sqrt(3.0) / 4 * 8, 1e-12);
  EXPECT_NEAR(norm(sum), 0, 1e-12);
  EXPECT_EQ(sorted_faces(d.model).between.size(), 4u);
  EXPECT_EQ(exterior_faces(d.model).size(), 24u);
}

}  // namespace
}  // namespace crumple::model
