// *DEFORMABLE_TO_RIGID_AUTOMATIC: what is read and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "constraints/switched_parts/switch_set.hpp"

namespace crumple::model {
namespace {

using constraints::SwitchedPart;
using constraints::SwitchSet;
using constraints::SwitchTest;

const std::string kToRigid =
    "*DEFORMABLE_TO_RIGID_AUTOMATIC\n20,0,0.5,0.,0.1,0,21,1\n0,0,1,0.25,1,0\n1,0,PART\n";
const std::string kBack = "*DEFORMABLE_TO_RIGID_AUTOMATIC\n21,0,1.5,0.,0.,0,20,-1\n0,0,2,0.,0,1\n1,PART\n";

TEST(PartSwitches, AreRead) {
  const BuiltDeck d = plate_and(kToRigid + kBack);
  EXPECT_EQ(d.problems(), "");
  const auto& sets = d.model.features.of<SwitchSet>();
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].id, 20);
  EXPECT_EQ(sets[0].test, SwitchTest::time);
  EXPECT_EQ(sets[0].begin, 0.5);
  EXPECT_EQ(sets[0].end, 1e20);
  EXPECT_EQ(sets[0].delay, 0.1);
  EXPECT_EQ(sets[0].related, 21);
  EXPECT_EQ(sets[0].paired, 1);
  EXPECT_EQ(sets[0].walls, 1);
  EXPECT_EQ(sets[0].longest_step, 0.25);
  EXPECT_EQ(sets[0].rigid, std::vector<LocalId>{0});
  EXPECT_EQ(sets[0].lead, std::vector<LocalId>{kNone});
  EXPECT_EQ(sets[1].deformable, std::vector<LocalId>{0});
  const auto& parts = d.model.features.of<SwitchedPart>();
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(ids(d.model, parts[0].nodes), (std::vector<GlobalId>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(d.model.rigid_bodies.empty());
}

TEST(PartSwitches, OfPartSetsAreRead) {
  const BuiltDeck d =
      plate_and("*SET_PART_LIST\n4\n1\n*DEFORMABLE_TO_RIGID_AUTOMATIC\n20,0,0.5\n0,0,0,0.,1,0\n4,0,PSET\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.features.of<SwitchSet>().at(0).rigid, std::vector<LocalId>{0});
}

TEST(PartSwitches, AreRefusedWithAReason) {
  EXPECT_TRUE(plate_and(kToRigid + kToRigid).reported("this switch set is given twice"));
  EXPECT_TRUE(plate_and(kToRigid).reported("the related set RELSW = 21 must name this one"));
  const auto with = [](const std::string& first, const std::string& second) {
    return plate_and("*DEFORMABLE_TO_RIGID_AUTOMATIC\n" + first + "\n" + second + "\n1,0,PART\n");
  };
  EXPECT_TRUE(with("20,5", "0,0,0,0.,1").reported("sensors do not switch parts"));
  EXPECT_TRUE(with("20,1,,,,8", "0,0,0,0.,1").reported("rigid wall 8 does not exist"));
  EXPECT_TRUE(with("20,2,,,,8", "0,0,0,0.,1").reported("contact 8 does not exist"));
  EXPECT_TRUE(with("20", "1,0,0,0.,1").reported("nodal rigid bodies are not deleted"));
  EXPECT_TRUE(with("20", "0,1,0,0.,1").reported("constraints and welds of nodes"));
  EXPECT_TRUE(with("20", "0,0,3,0.,1").reported("RWF is none of 0, 1 and 2"));
  EXPECT_TRUE(with("20", "0,0,0,0.,1,0,0.5").reported("forces are tested, not distances"));
}

TEST(PartSwitches, OfNodesThatSomethingElseMovesAreRefused) {
  const std::string set = "*DEFORMABLE_TO_RIGID_AUTOMATIC\n20,0,0.5\n0,0,0,0.,1,0\n1,0,PART\n";
  EXPECT_TRUE(plate_and(set + "*BOUNDARY_SPC_NODE\n2,0,1,1,1,0,0,0\n").reported("node 2 of part 1 is held"));
  EXPECT_TRUE(plate_and(set + "*DEFORMABLE_TO_RIGID\n1\n").reported("it is rigid from the start"));
}

}  // namespace
}  // namespace crumple::model
