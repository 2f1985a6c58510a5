// *SENSOR_DEFINE_NODE, _CALC-MATH, *SENSOR_SWITCH, *SENSOR_CONTROL, *TERMINATION_*: what is read, and what is
// refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "sensors/network.hpp"

namespace crumple::model {
namespace {

using sensors::Network;

const Network& network(const BuiltDeck& d) { return d.model.features.of<Network>().at(0); }

TEST(Sensors, OfNodesAndOfSensors) {
  const BuiltDeck d = plate_and(
      "*DEFINE_VECTOR\n7,0,0,0,0,3,4\n*SET_NODE_LIST\n3\n1,2\n*SET_NODE_LIST\n4\n5,6\n"
      "*SENSOR_DEFINE_NODE\n11,3,1,7,,vel\n*SENSOR_DEFINE_NODE_SET\n12,3,4,Y,,COORD,MAX\n"
      "*SENSOR_DEFINE_NODE\n13,2\n"
      "*SENSOR_DEFINE_CALC-MATH\n14,SUBTRACT,12,11\n"
      "*SENSOR_SWITCH\n1,SENSOR,14,LT,-2.5,,0.5,0.25\n*SENSOR_SWITCH\n2,TIME,,,3.5\n"
      "*TERMINATION_SENSOR\n1\n");
  EXPECT_EQ(d.problems(), "");
  const Network& n = network(d);
  ASSERT_EQ(n.sensors.size(), 4u);
  EXPECT_EQ(n.sensors[0].quantity, sensors::Quantity::velocity);
  EXPECT_NEAR(n.sensors[0].direction.y, 0.6, 1e-15);
  EXPECT_NEAR(n.sensors[0].direction.z, 0.8, 1e-15);
  EXPECT_EQ(ids(d.model, n.nodes[0]), (std::vector<GlobalId>{3}));
  EXPECT_EQ(ids(d.model, n.others[0]), (std::vector<GlobalId>{1}));
  EXPECT_TRUE(n.sensors[1].magnitude);
  EXPECT_EQ(n.sensors[1].quantity, sensors::Quantity::acceleration);
  EXPECT_EQ(n.sensors[2].operation, sensors::Operation::greatest);
  EXPECT_EQ(n.sensors[2].direction.y, 1);
  EXPECT_EQ(ids(d.model, n.others[2]), (std::vector<GlobalId>{5, 6}));
  EXPECT_EQ(n.sensors[3].of[0], 2);
  EXPECT_EQ(n.sensors[3].of[1], 0);
  ASSERT_EQ(n.switches.size(), 2u);
  EXPECT_TRUE(n.switches[0].below);
  EXPECT_EQ(n.switches[0].sensor, 3);
  EXPECT_EQ(n.switches[0].window, 0.5);
  EXPECT_EQ(n.switches[0].delay, 0.25);
  EXPECT_EQ(n.switches[1].sensor, -1);
  EXPECT_EQ(n.switches[1].value, 3.5);
  ASSERT_EQ(n.endings.size(), 1u);
  EXPECT_EQ(n.endings[0].by, 0);
}

TEST(Sensors, EndsByNodesAndBodies) {
  const BuiltDeck d = plate_and(
      "*NODE\n21,10,0,0\n22,11,0,0\n23,11,1,0\n24,10,1,0\n*ELEMENT_SHELL\n31,2,21,22,23,24\n"
      "*PART\nsecond\n2,1,2\n*MAT_RIGID\n2,1.0,100.0,0.3\n"
      "*TERMINATION_NODE\n3,2,5.5\n4,1,,-1.5\n*TERMINATION_BODY\n2,4,0.75\n");
  EXPECT_EQ(d.problems(), "");
  const Network& n = network(d);
  ASSERT_EQ(n.endings.size(), 3u);
  EXPECT_EQ(n.endings[0].why, "*TERMINATION_NODE 3: y is above 5.5");
  EXPECT_EQ(n.endings[1].why, "*TERMINATION_NODE 4: x is below -1.5");
  EXPECT_EQ(n.endings[2].why, "*TERMINATION_BODY 2: its displacement is above 0.75");
  EXPECT_EQ(n.sensors[2].kind, sensors::Kind::body);
  EXPECT_EQ(n.sensors[2].body, 0);
  EXPECT_TRUE(n.switches[1].below);
}

TEST(Sensors, AreRefusedByName) {
  const auto says = [](const char* cards, const char* text) {
    const BuiltDeck d = plate_and(std::string("*SENSOR_DEFINE_NODE\n11,3,,X,,COORD\n") + cards);
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("*SENSOR_DEFINE_NODE\n12,3,,X,,CORD\n",
       "*SENSOR_DEFINE_NODE 12: CTYPE = CORD is not supported; is COORD meant?");
  says("*SENSOR_DEFINE_NODE\n12,3,,X,,TEMP\n", "CTYPE = TEMP is not supported; one of ACC, COORD, VEL is");
  says("*SENSOR_DEFINE_NODE\n12,3,,9\n", "vector 9 does not exist");
  says("*SENSOR_DEFINE_NODE\n12,3,,left\n", "VID = LEFT is neither the number of a vector nor X, Y or Z");
  says("*SENSOR_DEFINE_NODE\n11,3,,X,,COORD\n", "sensor 11 is defined twice");
  says("*SENSOR_SWITCH\n1,SENSOR,4,LT,1.\n", "*SENSOR_SWITCH 1: sensor 4 does not exist");
  says("*SENSOR_SWITCH\n1,SENSOR,11,EQ,1.\n", "LOGIC = EQ is not supported; one of GT, LT is");
  says("*SENSOR_SWITCH\n1,SENSOR,11,GT,1.,3\n", "FILTRID = 3");
  says("*TERMINATION_SENSOR\n4\n", "switch 4 does not exist");
  says("*TERMINATION_NODE\n3,4\n", "STOP = 4, the touch of a contact surface, is not supported");
  says("*TERMINATION_NODE\n3,1\n", "neither MAXC nor MINC is given");
  says("*SENSOR_SWITCH\n1,SENSOR,11,GT,1.\n*SENSOR_CONTROL\n5,DEF2RIG,1\nOFF,1\n",
       "*SENSOR_CONTROL 5: TYPE = DEF2RIG is not supported; one of AIRBAG");
  says("*SENSOR_SWITCH\n1,SENSOR,11,GT,1.\n*SENSOR_CONTROL\n5,AIRBAG,8\nOFF,1\n", "airbag 8 does not exist");
  says("*SENSOR_SWITCH\n1,SENSOR,11,GT,1.\n*SENSOR_CONTROL\n5,AIRBAG,8\nON,1\n",
       "INITSTT = ON is not supported");
}

TEST(Sensors, EndsByContactsCurvesAndDeletions) {
  const BuiltDeck d = plate_and(
      "*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID\n4,one\n0,,5\n0.2\n\n"
      "*TERMINATION_CONTACT\n4,1.0,0.5,0.25,3\n4,2.0\n"
      "*DEFINE_CURVE\n7\n0,0\n1,2\n2,-2\n3,0\n4,0\n*TERMINATION_CURVE\n7\n*TERMINATION_CURVE\n7,1.75\n"
      "*TERMINATION_CURVE\n7,3.5\n*TERMINATION_DELETED_SHELLS\n1,2\n"
      "*SET_PART_LIST\n3\n1\n*TERMINATION_DELETED_SHELLS_SET\n3,1\n");
  EXPECT_EQ(d.problems(), "");
  const Network& n = network(d);
  ASSERT_EQ(n.endings.size(), 7u);
  EXPECT_EQ(n.endings[0].why, "*TERMINATION_CONTACT 4: its force along z is none");
  EXPECT_EQ(n.endings[1].why, "*TERMINATION_CONTACT 4: its force is none");
  EXPECT_EQ(n.sensors[0].entity, 4);
  EXPECT_EQ(n.sensors[0].threshold, 0.25);
  EXPECT_EQ(n.sensors[0].direction.z, 1);
  EXPECT_TRUE(n.sensors[1].magnitude);
  EXPECT_TRUE(n.switches[0].below);
  EXPECT_EQ(n.switches[0].begin, 1.0);
  EXPECT_EQ(n.switches[0].window, 0.5);
  EXPECT_NEAR(n.switches[2].value, 1.5, 1e-15);  // the first return, between the points
  EXPECT_NEAR(n.switches[3].value, 3.0, 1e-15);
  EXPECT_NEAR(n.switches[4].value, 3.5, 1e-15);
  EXPECT_EQ(n.endings[5].why, "*TERMINATION_DELETED_SHELLS 1: 2 shells are deleted");
  EXPECT_EQ(n.switches[5].value, 1.5);
  EXPECT_EQ(n.sensors[3].part, 0);
}

TEST(Sensors, EndsThatCannotBeAreReported) {
  const auto says = [](const char* cards, const char* text) {
    const BuiltDeck d = plate_and(cards);
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("*TERMINATION_CONTACT\n4\n", "*TERMINATION_CONTACT 4: contact 4 does not exist");
  says("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,,5\n0.2\n\n*TERMINATION_CONTACT\n1\n",
       "warning CR-D330: *TERMINATION_CONTACT 1: without ACTIM and DUR");
  says("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,,5\n0.2\n\n*TERMINATION_CONTACT\n1,0,0,0,4\n",
       "DOF = 4 is none of 0 to 3");
  says("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,,5\n0.2\n\n*TERMINATION_CONTACT\n1,0,-1.\n", "DUR is -1");
  says("*SET_NODE_LIST\n5\n6\n*CONTACT_TIED_NODES_TO_SURFACE\n5,1,4,3\n\n\n*TERMINATION_CONTACT\n1,1.\n",
       "*TERMINATION_CONTACT 1: forces of tied contacts");
  says("*TERMINATION_CURVE\n7\n", "*TERMINATION_CURVE 7: curve 7 does not exist");
  says("*DEFINE_CURVE\n7\n0,0\n1,2\n*TERMINATION_CURVE\n7\n", "the curve does not return to zero");
  says("*TERMINATION_DELETED_SHELLS\n7,2\n", "part 7 does not exist");
  says("*TERMINATION_DELETED_SOLIDS\n1,2\n", "*TERMINATION_DELETED_SOLIDS 1: the part has no solids");
  says("*TERMINATION_DELETED_SHELLS\n1\n", "NDS = 0 is not supported");
  says("*PART\nmore\n2,1,1\n*SET_PART_LIST\n3\n1,2\n*TERMINATION_DELETED_SHELLS_SET\n3,1\n",
       "whether NDS counts in each part of a set");
}

const char* const kMeasured =
    "*DEFINE_CURVE\n7\n0,0\n1,2\n*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID\n4,one\n0,,5\n0.2\n\n"
    "*RIGIDWALL_PLANAR_ID\n3\n0\n0,0,-1,0,0,0\n"
    "*DATABASE_EXTENT_BINARY\n0,0,3,1\n"
    "*SENSOR_DEFINE_ELEMENT\n21,SHELL,12,XY,STRESS,TOP,2.5\n22,SHELL,11,PRIN1,STRAIN,BOT\n"
    "*SENSOR_DEFINE_FORCE\n23,CONTACT,4,M\n24,RWALL,3,Z\n*SENSOR_DEFINE_MISC\n25,CURVE,,7\n"
    "*SENSOR_DEFINE_CALC-MATH\n26,SUM,21,25\n"
    "*SENSOR_SWITCH\n1,SENSOR,26,GT,1.\n2,SENSOR,24,LT,1.\n"
    "*SENSOR_SWITCH_CALC-LOGIC\n5,1,-2\n*SENSOR_SWITCH_CALC-LOGIC\n6,1,2\n"
    "*SET_SHELL_LIST\n8\n12\n";

TEST(Sensors, OfElementsForcesAndCurves) {
  const BuiltDeck d = plate_and(std::string(kMeasured) +
                                "*SENSOR_CONTROL\n1,CONTACT,4\nOFF,1,6\n2,RWALL,3\nON,5\n"
                                "3,ELESET,8,,,SHELL\nON,6\n");
  EXPECT_EQ(d.problems(), "");
  const Network& n = network(d);
  ASSERT_EQ(n.sensors.size(), 6u);
  EXPECT_EQ(n.sensors[0].element_kind, ElementKind::shell);
  EXPECT_EQ(n.sensors[0].component, sensors::Component::xy);
  EXPECT_EQ(n.sensors[0].layer, -1);
  EXPECT_EQ(n.sensors[0].scale, 2.5);
  EXPECT_EQ(n.sensors[1].element_value, sensors::ElementValue::strain);
  EXPECT_EQ(n.sensors[2].kind, sensors::Kind::contact);
  EXPECT_TRUE(n.sensors[2].magnitude);
  EXPECT_EQ(n.sensors[2].index, 0);
  EXPECT_EQ(n.sensors[3].direction.z, 1);
  EXPECT_EQ(n.sensors[4].kind, sensors::Kind::curve);
  ASSERT_EQ(n.switches.size(), 4u);
  EXPECT_FALSE(n.switches[2].all);
  EXPECT_TRUE(n.switches[3].all);
  EXPECT_EQ(n.switches[3].of[1], 1);
  ASSERT_EQ(n.controls.size(), 3u);
  EXPECT_EQ(n.controls[0].kind, sensors::Controlled::contact);
  EXPECT_FALSE(n.controls[0].on);
  EXPECT_EQ(n.controls[0].by, (std::vector<std::int32_t>{0, 3}));
  EXPECT_EQ(n.controls[1].index, 0);
  EXPECT_EQ(n.controls[2].numbers, (std::vector<GlobalId>{12}));
}

TEST(Sensors, OfStrainsNeedStrains) {
  const BuiltDeck d = plate_and(
      "*SENSOR_DEFINE_ELEMENT\n22,SHELL,11,XX,STRAIN,BOT\n*SENSOR_SWITCH\n1,SENSOR,22,GT,1.\n"
      "*TERMINATION_SENSOR\n1\n");
  EXPECT_TRUE(d.reported("strains are known only with STRFLG = 1")) << d.problems();
}

TEST(Sensors, OfElementsAndForcesAreRefusedByName) {
  const auto says = [](const char* cards, const char* text) {
    const BuiltDeck d = plate_and(std::string(kMeasured) + cards);
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("*SENSOR_DEFINE_ELEMENT\n31,SHELL,99,XX,STRESS\n", "shell 99 does not exist");
  says("*SENSOR_DEFINE_ELEMENT\n31,SHELL,11,XX,FORCE\n", "CTYPE is not a value of elements of ETYPE");
  says("*SENSOR_DEFINE_ELEMENT\n31,SHELL,11,XQ,STRESS\n", "COMP = XQ is not supported");
  says("*SENSOR_DEFINE_ELEMENT\n31,SHELL,11,XX,STRAIN,2\n", "LAYER = 2 is not supported");
  says("*SENSOR_DEFINE_ELEMENT\n31,SHELL,11,XX,STRESS,BOT,1.,2.\n", "PWR = 2 is not supported");
  says("*SENSOR_DEFINE_ELEMENT\n31,TSHELL,11,XX,STRESS\n", "ETYPE = TSHELL is not supported");
  says("*SENSOR_DEFINE_FORCE\n31,SPC,4,M\n", "FTYPE = SPC is not supported");
  says("*SENSOR_DEFINE_FORCE\n31,RWALL,9,M\n", "rigid wall 9 does not exist");
  says("*SENSOR_DEFINE_FORCE\n31,RWALL,3,XMOMENT\n", "moments are those of JOINT and X-SECTION");
  says("*SENSOR_DEFINE_MISC\n31,ANGLE,,1,2,3,4\n", "MTYPE = ANGLE is not supported");
  says("*SENSOR_SWITCH_CALC-LOGIC\n9,1,2,-1\n", "their order is not established");
  says("*SENSOR_CONTROL\n5,CONTACT,4\nON,1,2\n", "a contact that has ended does not begin again");
  says("*SENSOR_CONTROL\n5,JOINT,4\nOFF,1\n", "INITSTT = OFF is not supported here");
  says("*SENSOR_CONTROL\n5,JOINT,4\nON,1\n", "joint 4 does not exist");
  says("*SENSOR_CONTROL\n5,ELESET,9,,,SHELL\nON,1\n", "shell set 9 does not exist");
  says("*SENSOR_CONTROL\n5,CONTACT,4,,,SHELL\nON,1\n", "ESTYP is of TYPE = ELESET");
  says("*SENSOR_SWITCH_SHELL_TO_VENT\n1\n", "SENSOR_SWITCH_SHELL_TO_VENT");
}

TEST(Contacts, OldNamesOfSingleSurface) {
  for (const char* const name : {"SINGLE_SURFACE", "AIRBAG_SINGLE_SURFACE"}) {
    const BuiltDeck d = plate_and(fmt::format("*CONTACT_{}_ID\n4,old\n1,,3\n0.2\n\n", name));
    EXPECT_EQ(d.problems(), "");
    ASSERT_EQ(d.model.contacts.size(), 1u);
    EXPECT_EQ(d.model.contacts[0].type, ContactType::automatic_single_surface);
    EXPECT_EQ(d.model.contacts[0].fs, 0.2);
  }
  const BuiltDeck d = plate_and("*CONTACT_AIRBAG_SINGLE_SURFACE\n1,,3\n\n\n0,,7\n");
  EXPECT_TRUE(d.reported("a thickness over time (LCIDAB) is not supported")) << d.problems();
}

}  // namespace
}  // namespace crumple::model
