// Seat belts and accelerometers from a deck, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "built_deck.hpp"
#include "loads/belts/belt.hpp"
#include "output/accelerometer/accelerometer.hpp"

namespace crumple::model {
namespace {

const char* const kBelt = R"(*NODE
51,0,0,1
52,1,0,1
53,2,0,1
54,0,0,1
55,0,0,1
56,1,0,1
*ELEMENT_SEATBELT
103,9,52,53,0,0.5
101,9,51,52
102,9,51,54,7
*PART
belt
9,9,9
*SECTION_SEATBELT
9
*MAT_SEATBELT
9,0.06,1,2,0.05
*DEFINE_CURVE
1
0,0
1,100
*DEFINE_CURVE
2
0,0
1,400
*DEFINE_CURVE
3
0,5
1,50
*ELEMENT_SEATBELT_SENSOR
4,1
1,2,0.3,0.001
5,4
51,53,3.0,1.0
*ELEMENT_SEATBELT_RETRACTOR
7,55,101,4,5
0.01,0.02,3,0,0.4
*ELEMENT_SEATBELT_SLIPRING
8,101,103,0.2,56
*ELEMENT_SEATBELT_PRETENSIONER
6,5,4
7,0.005,3,12.0
)";

std::string deck(std::string changed = {}, const std::string& by = {}) {
  std::string text = std::string(kPlate) + kBelt;
  if (!changed.empty()) text.replace(text.find(changed), changed.size(), by);
  return text + "*END\n";
}

TEST(Belts, AreReadWithTheirDevices) {
  const BuiltDeck built = build(deck());
  EXPECT_EQ(built.problems(), "");
  const auto& list = built.model.features.of<loads::Belts>();
  ASSERT_EQ(list.size(), 1u);
  const loads::Belts& in = list[0];
  EXPECT_EQ(in.node_ids, (std::vector<GlobalId>{1, 51, 52, 53, 54, 55, 56}));
  ASSERT_EQ(in.elements.size(), 3u);
  EXPECT_EQ(in.elements[0].id, 101);
  EXPECT_EQ(in.elements[2].first, 2);
  EXPECT_EQ(in.elements[2].slack, 0.5);
  EXPECT_EQ(in.materials[0].mass, 0.06);
  EXPECT_NE(in.materials[0].unloading, in.materials[0].loading);
  ASSERT_EQ(in.retractors.size(), 1u);
  EXPECT_EQ(in.retractors[0].inside, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(in.retractors[0].sensors, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(in.retractors[0].unloading, in.retractors[0].loading);
  EXPECT_EQ(in.retractors[0].node, 5);
  EXPECT_EQ(in.sensors[0].axis, 1);
  EXPECT_EQ(in.sensors[1].lower, 1.0);
  EXPECT_EQ(in.rings[0].second, 2);
  EXPECT_EQ(in.rings[0].friction, 0.2);
  EXPECT_EQ(in.pretensioners[0].limit, 12.0);
  double mass = 0.0;  // 1.1 LMIN of the element inside
  for (const double m : built.model.masses.mass) mass += m;
  EXPECT_NEAR(mass, 0.06 * (1.0 + 1.5 + 1.1 * 0.05), 1e-15);
}

TEST(Belts, ReportWhatMakesNoBelt) {
  EXPECT_TRUE(build(deck("101,9,51,52", "101,1,51,52")).reported("CR-D337"));
  EXPECT_TRUE(build(deck("8,101,103", "8,101,104")).reported("belt element 104 does not exist"));
  EXPECT_TRUE(build(deck("1,100", "1,-100")).reported("must not fall"));
  EXPECT_TRUE(build(deck("54,0,0,1", "54,0.2,0,1")).reported("node 54 of the elements inside"));
  EXPECT_TRUE(build(deck("9,0.06", "9,0.0")).reported("MPUL"));
  EXPECT_TRUE(build(deck("3,0,0.4", "3,0,0.1")).reported("LFED"));
  EXPECT_TRUE(build(deck("7,55,101,4,5", "7,55,101,14,5")).reported("sensor 14 does not exist"));
}

TEST(Belts, RefuseWhatIsMissing) {
  EXPECT_TRUE(build(deck("103,9,52,53,0,0.5", "103,9,52,53,0,0.5,51,54"))
                  .reported("its part 9 has no *SECTION_SHELL"));
  EXPECT_TRUE(build(deck("0.2,56", "0.2,56,0,0.3")).reported("static friction"));
  EXPECT_TRUE(build(deck("6,5,4", "6,3,4")).reported("springs that become active"));
  EXPECT_TRUE(build(deck("9,0.06,1,2,0.05", "9,0.06,1,2,0.05,0,0,7.0")).reported("bending"));
}

/// Two by two elements along x, the second row turned, with an element inside a retractor at x = 0 and a ring
/// at x = 1.
const char* const kShellBelt = R"(*NODE
61,0,0,2
62,0,1,2
63,0,3,2
64,1,0,2
65,1,1,2
66,1,3,2
67,2,0,2
68,2,1,2
69,2,3,2
71,0,0,2
72,0,1,2
73,0,3,2
81,0,0,2
82,0,1,2
83,0,3,2
84,1,0,2
85,1,1,2
86,1,3,2
*ELEMENT_SEATBELT
201,8,61,64,0,0.2,65,62
202,8,63,62,0,0.2,65,66
203,8,64,67,0,0,68,65
204,8,65,68,0,0,69,66
205,8,71,61,7,0,62,72
206,8,72,62,7,0,63,73
*PART
belt
8,8,8
*SECTION_SHELL
8,5
0.5,0.5,0.5,0.5,0,0,0,31
*MAT_SEATBELT_2D
8,0.06,1,0,0.05
0,0,,,,-0.2

*SET_NODE_LIST
31
71,72,73
*SET_NODE_LIST
32
83,81,82
*SET_NODE_LIST
33
84,85,86
*SET_SHELL_LIST
34
201,202
*SET_SHELL_LIST
35
203,204
*DEFINE_CURVE
1
0,0
1,100
*DEFINE_CURVE
3
0,5
1,50
*ELEMENT_SEATBELT_SENSOR
4,3
1.0
*ELEMENT_SEATBELT_RETRACTOR
7,-32,-34,4
0.01,0.02,3,0,0.4
*ELEMENT_SEATBELT_SLIPRING
8,-34,-35,0.2,-33
*ELEMENT_SEATBELT_PRETENSIONER
6,5,4
7,0.005,3,12.0
)";

std::string shell_deck(std::string changed = {}, const std::string& by = {}) {
  std::string text = std::string(kPlate) + kShellBelt;
  if (!changed.empty()) text.replace(text.find(changed), changed.size(), by);
  return text + "*END\n";
}

TEST(Belts, OfShellsAreRowsWithDevicesOfTheirOwn) {
  const BuiltDeck built = build(shell_deck());
  EXPECT_EQ(built.problems(), "");
  const auto& list = built.model.features.of<loads::Belts>();
  ASSERT_EQ(list.size(), 1u);
  const loads::Belts& in = list[0];
  ASSERT_EQ(in.elements.size(), 9u);  // three in each of three rows
  ASSERT_EQ(in.shells.size(), 4u);
  EXPECT_EQ(in.shells[1].id, 202);
  EXPECT_NEAR(in.shells[1].share, 2.0 / 3, 1e-15);
  EXPECT_GT(in.shells[0].mass, 0.0);
  EXPECT_NEAR(in.shells[1].mass, 2 * in.shells[0].mass, 1e-12);
  EXPECT_NEAR(in.shells[0].damping.fraction, 0.1, 1e-15);
  ASSERT_EQ(in.rings.size(), 3u);
  ASSERT_EQ(in.retractors.size(), 3u);
  ASSERT_EQ(in.pretensioners.size(), 3u);
  double shares = 0.0;
  for (std::size_t row = 0; row < 3; ++row) {
    const loads::Retractor& reel = in.retractors[row];
    const auto& mouth = in.elements[static_cast<std::size_t>(reel.mouth)];
    shares += mouth.share;
    EXPECT_EQ(reel.id, 7);
    ASSERT_EQ(reel.inside.size(), 1u);
    EXPECT_FALSE(in.elements[static_cast<std::size_t>(reel.inside[0])].weightless);
    EXPECT_EQ(in.elements[static_cast<std::size_t>(reel.inside[0])].retractor, static_cast<int>(row));
    EXPECT_TRUE(mouth.weightless);
    EXPECT_NEAR(mouth.slack, 0.2, 1e-15);
    EXPECT_EQ(in.pretensioners[row].retractor, static_cast<int>(row));
    const loads::SlipRing& ring = in.rings[row];
    EXPECT_EQ(in.elements[static_cast<std::size_t>(ring.first)].share,
              in.elements[static_cast<std::size_t>(ring.second)].share);
  }
  EXPECT_NEAR(shares, 1.0, 1e-15);
  double mass = 0.0;  // that of the elements inside; shells have the rest
  for (const double m : built.model.masses.mass) mass += m;
  EXPECT_NEAR(mass, 0.06 * 1.1 * 0.05, 1e-15);
}

TEST(Belts, OfShellsHaveAFabricOfTheirCrossSection) {
  const BuiltDeck built = build(shell_deck());
  const auto at = std::ranges::find(built.model.materials, 8, &Material::id);
  ASSERT_TRUE(at != built.model.materials.end());
  EXPECT_EQ(at->law, 34);
  const double area = 3 * 0.5, young = 100 / area;
  EXPECT_NEAR(at->density, 0.06 / area, 1e-15);
  EXPECT_NEAR(at->field("EB"), 0.2 * young, 1e-12);
  EXPECT_NEAR(at->field("GAB"), 0.01 * young / 2.6, 1e-12);
  EXPECT_EQ(at->field("CSE"), 1);
  EXPECT_EQ(at->field("DAMP"), 0.1);
  const Shells& shells = built.model.shells;
  const auto nodes_of = [&](GlobalId id) {
    std::vector<GlobalId> ids;
    const auto e = std::ranges::find(shells.id, id) - shells.id.begin();
    for (const LocalId n : shells.nodes[static_cast<std::size_t>(e)])
      ids.push_back(built.model.nodes.id[static_cast<std::size_t>(n)]);
    return ids;
  };
  EXPECT_EQ(nodes_of(201), (std::vector<GlobalId>{61, 64, 65, 62}));
  EXPECT_EQ(nodes_of(202), (std::vector<GlobalId>{62, 65, 66, 63}));  // its side 1-2 went across
}

TEST(Belts, OfShellsReportWhatMakesNoBelt) {
  EXPECT_TRUE(build(shell_deck("0,0,0,31", "0,0,0,0")).reported("EDGSET"));
  EXPECT_TRUE(build(shell_deck("71,72,73", "71,73")).reported("not in a line"));
  EXPECT_TRUE(build(shell_deck("83,81,82", "83,81")).reported("3 rows of elements"));
  EXPECT_TRUE(build(shell_deck("84,85,86", "64,85,86")).reported("is a node of the belt"));
  EXPECT_TRUE(build(shell_deck("203,204", "203,11")).reported("no belt"));
  EXPECT_TRUE(build(shell_deck("204,8,65,68,0,0,69,66", "204,8,65,68,0,0,69,69")).reported("quadrilaterals"));
  EXPECT_TRUE(build(shell_deck("0,0,,,,-0.2", "0,-14,,,,-0.2")).reported("coatings"));
}

const char* const kRigid = R"(*PART
rigid
3,3,3
*SECTION_SHELL
3,2
1,1,1,1
*MAT_RIGID
3,2.0,100.0,0.3
*NODE
71,0,0,9
72,1,0,9
73,1,1,9
74,0,1,9
*ELEMENT_SHELL
71,3,71,72,73,74
*ELEMENT_SEATBELT_ACCELEROMETER
)";

TEST(Accelerometers, AreOnRigidBodies) {
  const auto with = [](const std::string& card) {
    return build(std::string(kPlate) + kRigid + card + "\n*END\n");
  };
  const BuiltDeck built = with("5,71,72,73,-4,0,0.3");
  EXPECT_EQ(built.problems(), "");
  const auto& list = built.model.features.of<output::Accelerometer>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].without_gravity, 3);
  EXPECT_EQ(list[0].parts.size(), 1u);
  ASSERT_EQ(built.model.masses.size(), 3u);
  EXPECT_NEAR(built.model.masses.mass[0], 0.1, 1e-15);
  EXPECT_TRUE(with("5,71,72,1").reported("one rigid body"));
  EXPECT_TRUE(with("5,71,72,72").reported("one line"));
  EXPECT_TRUE(with("5,71,72,73,0,1").reported("local accelerations"));
  EXPECT_TRUE(with("5,71,72,73,2").reported("IGRAV"));
}

}  // namespace
}  // namespace crumple::model
