// Seat belts and accelerometers from a deck, and what is refused.
#include <gtest/gtest.h>

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
  EXPECT_TRUE(build(deck("103,9,52,53,0,0.5", "103,9,52,53,0,0.5,51,54")).reported("belts of shells"));
  EXPECT_TRUE(build(deck("0.2,56", "0.2,56,0,0.3")).reported("static friction"));
  EXPECT_TRUE(build(deck("6,5,4", "6,3,4")).reported("springs that become active"));
  EXPECT_TRUE(build(deck("9,0.06,1,2,0.05", "9,0.06,1,2,0.05,0,0,7.0")).reported("bending"));
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
