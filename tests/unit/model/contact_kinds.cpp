// Contacts that are kinds of others, friction from other keywords, and force curves: what is read and
// refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "built_deck.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"

namespace crumple::model {
namespace {

const std::string kSecond =
    "*PART_CONTACT\nother\n2,1,1\n0.3,0.2,1.5,7.0,0.7\n*PART\nthird\n3,1,1\n*SET_PART_LIST\n4\n2,3\n";

TEST(ContactKinds, FormingContactsHaveToolsAndSheets) {
  for (const std::string name : {"ONE_WAY_SURFACE_TO_SURFACE", "SURFACE_TO_SURFACE", "NODES_TO_SURFACE"}) {
    const BuiltDeck d = plate_and(kSecond + "*CONTACT_FORMING_" + name + "\n1,2,3,3\n0.1\n,,,0.2\n");
    ASSERT_EQ(d.model.contacts.size(), 1u) << d.problems();
    const Contact& c = d.model.contacts[0];
    EXPECT_EQ(c.type,
              name == "SURFACE_TO_SURFACE" ? ContactType::surface_to_surface : ContactType::nodes_to_surface);
    EXPECT_TRUE(c.forming);
    EXPECT_DOUBLE_EQ(c.stb, 0.2);
  }
  const std::string contact = kSecond + "*CONTACT_FORMING_ONE_WAY_SURFACE_TO_SURFACE\n1,2,3,3\n\n";
  EXPECT_TRUE(plate_and(contact + ",,,,,1.5\n").reported("SFSBT = 1.5 has no effect"));
  EXPECT_TRUE(plate_and(contact + ",,,-1.\n").reported("SBST = -1, a negative value"));
  EXPECT_TRUE(plate_and(contact + "\n2\n").reported("SOFT = 2 of a forming contact"));
  EXPECT_TRUE(plate_and(contact + "\n0\n,,1\n").reported("SHLTHK = 1 has no effect"));
}

TEST(ContactKinds, OrienIsForTools) {
  const BuiltDeck tools =
      plate_and(kSecond + "*CONTROL_CONTACT\n,,,,,,2\n*CONTACT_FORMING_NODES_TO_SURFACE\n1,2,3,3\n\n\n");
  ASSERT_EQ(tools.model.contacts.size(), 1u);
  EXPECT_EQ(tools.model.contacts[0].orien, 2);
  EXPECT_TRUE(plate_and(kSecond + "*CONTROL_CONTACT\n,,,,,,3\n*CONTACT_SURFACE_TO_SURFACE\n1,2,3,3\n\n\n")
                  .reported("ORIEN = 3 is taken as 1"));
}

TEST(ContactKinds, EdgesAndBeams) {
  const BuiltDeck edge = plate_and("*CONTACT_SINGLE_EDGE\n1,,3\n\n\n");
  ASSERT_EQ(edge.model.contacts.size(), 1u) << edge.problems();
  EXPECT_EQ(edge.model.contacts[0].type, ContactType::automatic_general);
  EXPECT_TRUE(edge.model.contacts[0].edges_only);
  EXPECT_TRUE(edge.model.contacts[0].without_beams);
  const BuiltDeck beams = plate_and(kSecond + "*CONTACT_AUTOMATIC_BEAMS_TO_SURFACE\n2,1,3,3\n\n\n");
  ASSERT_EQ(beams.model.contacts.size(), 1u) << beams.problems();
  EXPECT_TRUE(beams.model.contacts[0].beams_on_surface);
  EXPECT_TRUE(plate_and("*SET_NODE_LIST\n5\n1,2\n*CONTACT_AUTOMATIC_BEAMS_TO_SURFACE\n5,1,4,3\n\n\n")
                  .reported("name the parts of the beams"));
}

TEST(ContactKinds, FrictionOfParts) {
  const BuiltDeck d = plate_and(kSecond + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n2,,3\n-1.0\n\n");
  ASSERT_EQ(d.model.contacts.size(), 1u) << d.problems();
  EXPECT_TRUE(d.model.contacts[0].friction_of_parts);
  EXPECT_DOUBLE_EQ(d.model.contacts[0].fs, 0.0);
  EXPECT_EQ(d.model.parts[1].friction, (Friction{0.3, 0.2, 1.5, 7.0}));
  EXPECT_DOUBLE_EQ(d.model.parts[1].contact_thickness, 0.7);
  EXPECT_TRUE(plate_and(kSecond + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n2,,3\n-1.0,0.1\n\n")
                  .reported("FD = 0.1 has no effect with FS = -1"));
  EXPECT_TRUE(plate_and("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n1,,3\n-3.0\n\n").reported("FS = -3"));
  EXPECT_TRUE(plate_and("*PART_CONTACT\nother\n2,1,1\n-0.3\n").reported("FS = -0.3 is negative"));
}

TEST(ContactKinds, FrictionOfPairs) {
  const std::string table =
      "*DEFINE_FRICTION\n8,0.1,0.05,2.,3.\n1,2,0.3,0.2,1.,4.\n1,4,0.6,0.5,,,,PSET\n3,3,0.7\n";
  const BuiltDeck d =
      plate_and(kSecond + table + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n\n-2.0,8\n,,,,,,2.0,10.0\n");
  ASSERT_EQ(d.model.contacts.size(), 1u) << d.problems();
  const FrictionTable& pairs = d.model.contacts[0].pairs;
  EXPECT_TRUE(pairs.given);
  EXPECT_EQ(pairs.pairs.size(), 3u);
  EXPECT_EQ(pairs.of(1, 0), (Friction{1.2, 1.0, 0.0, 0.0})) << "the last row of a pair counts, FSF is 2";
  EXPECT_EQ(pairs.of(0, 2), (Friction{1.2, 1.0, 0.0, 0.0}));
  EXPECT_EQ(pairs.of(2, 2), (Friction{1.4, 0.0, 0.0, 0.0}));
  EXPECT_EQ(pairs.of(0, 0), (Friction{0.2, 0.1, 2.0, 30.0}));
  const std::string contact = "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n\n-2.0\n\n";
  const BuiltDeck only = plate_and(kSecond + table + contact);
  ASSERT_EQ(only.model.contacts.size(), 1u);
  EXPECT_TRUE(only.model.contacts[0].pairs.given) << "the only table needs no number";
  EXPECT_TRUE(plate_and(contact).reported("there is no *DEFINE_FRICTION 0"));
  EXPECT_TRUE(plate_and(kSecond + table).reported("*DEFINE_FRICTION has no effect"));
  EXPECT_TRUE(plate_and("*DEFINE_FRICTION\n8\n1,77,0.1\n" + contact).reported("part 77 does not exist"));
  const BuiltDeck skipped = plate_and("*DEFINE_FRICTION\n8,,,,,1\n1,77,0.1\n1,1,0.2\n" + contact);
  EXPECT_EQ(skipped.problems(), "");
  EXPECT_EQ(skipped.model.contacts[0].pairs.pairs.size(), 1u);
  EXPECT_TRUE(plate_and("*DEFINE_FRICTION\n8\n1,1,-0.1\n" + contact).reported("FS = -0.1 is negative"));
}

TEST(ContactKinds, ForceCurves) {
  const auto deck = [](const std::string& card, const std::string& more = "") {
    return plate_and(kSecond + "*DEFINE_CURVE\n7\n0.,0.\n0.1,5.\n1.,5.\n*DEFINE_CURVE\n6\n0.,1.\n9.,1.\n" +
                     "*CONTACT_RIGID_BODY_ONE_WAY_TO_RIGID_BODY\n2,1,3,3\n0.2\n" + more + "\n" + card + "\n");
  };
  const BuiltDeck d = deck("7,2,60.0,,6,0.5");
  ASSERT_EQ(d.model.contacts.size(), 1u) << d.problems();
  const Contact& c = d.model.contacts[0];
  EXPECT_EQ(c.type, ContactType::nodes_to_surface);
  EXPECT_EQ(d.model.curves[static_cast<std::size_t>(c.by_curve.curve)].id, 7);
  EXPECT_EQ(d.model.curves[static_cast<std::size_t>(c.by_curve.damping)].id, 6);
  EXPECT_DOUBLE_EQ(c.by_curve.unloading, 60.0);
  EXPECT_DOUBLE_EQ(c.by_curve.damping_scale, 0.5);
  EXPECT_TRUE(deck("7,1").reported("FCM = 1"));
  EXPECT_TRUE(deck("7,4").reported("FCM = 4"));
  EXPECT_TRUE(deck("7,3,60.,,6").reported("FCM = 3, a pressure, with damping"));
  EXPECT_TRUE(deck("7,3").model.contacts[0].by_curve.pressure);
  EXPECT_TRUE(deck("7,2,60.,,,,6").reported("UNLCID"));
  EXPECT_TRUE(deck("7,2,40.").reported("US = 40 is less than the slope of curve 7, 50"));
  EXPECT_TRUE(deck("9,2").reported("curve 9 does not exist"));
  EXPECT_TRUE(deck("7,2", "3.0").reported("SFSA = 3 has no effect"));
}

TEST(WallTransducers, NameTheirWallAndNodes) {
  const std::string walls =
      "*RIGIDWALL_PLANAR_ID\n9\n0\n0.,0.,-1.,0.,0.,1.\n*RIGIDWALL_PLANAR_ID\n8\n0\n0.,0.,-2.,0.,0.,1.\n"
      "*SET_NODE_LIST\n5\n4,2\n";
  const BuiltDeck d = plate_and(walls + "*RIGIDWALL_FORCE_TRANSDUCER\n21,8\nleft\n5\n");
  const auto& transducers = d.model.features.of<loads::WallTransducer>();
  ASSERT_EQ(transducers.size(), 1u) << d.problems();
  EXPECT_EQ(transducers[0].id, 21);
  EXPECT_EQ(transducers[0].title, "left");
  EXPECT_EQ(transducers[0].wall, 1);
  EXPECT_EQ(transducers[0].nodes, (std::vector<LocalId>{1, 3}));
  const auto says = [&](const std::string& card, const char* what) {
    const BuiltDeck wrong = plate_and(walls + "*RIGIDWALL_FORCE_TRANSDUCER\n" + card);
    EXPECT_TRUE(wrong.reported(what)) << wrong.problems();
  };
  says("21,7\nleft\n5\n", "rigid wall 7 does not exist");
  says("21,8\nleft\n6\n", "node set 6 does not exist");
  says("9,8\nleft\n5\n", "another rigid wall or transducer has this number");
}

}  // namespace
}  // namespace crumple::model
