// Optional fields of contacts, and contacts that are others under another name: what is read and refused.
#include <gtest/gtest.h>

#include <string>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const std::string kOffset = "*PART\nother\n2,2,1\n*SECTION_SHELL\n2,2,0.8333,5\n0.5,0.5,0.5,0.5,1.0\n";
const std::string kTwo = "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE\n1,2,3,3\n\n\n";

std::string cntco(int value) { return "*CONTROL_SHELL\n\n\n,," + std::to_string(value) + "\n"; }

const Contact& contact(const BuiltDeck& d) { return d.model.contacts.at(0); }

TEST(ContactRefinements, ReferencePlanes) {
  EXPECT_EQ(contact(plate_and(kOffset + kTwo)).reference_planes, 0);
  for (const int value : {1, 2}) {
    const BuiltDeck d = plate_and(kOffset + cntco(value) + kTwo);
    EXPECT_EQ(contact(d).reference_planes, value) << d.problems();
    EXPECT_FALSE(contact(d).nodes_stay);
  }
  EXPECT_EQ(contact(plate_and(kOffset + kTwo + "0\n0\n\n\n\n\n,1\n")).reference_planes, 1) << "SHLOFF";
  const std::string nodes = "*CONTACT_AUTOMATIC_NODES_TO_SURFACE\n1,2,3,3\n\n\n";
  EXPECT_TRUE(contact(plate_and(kOffset + cntco(1) + nodes)).nodes_stay);
  const std::string flat = "*PART\nother\n2,1,1\n";
  EXPECT_EQ(contact(plate_and(flat + cntco(1) + kTwo)).reference_planes, 0) << "no shell has an offset";
}

TEST(ContactRefinements, ReferencePlanesThatAreRefused) {
  const std::string on = kOffset + cntco(1);
  const std::string edges = "edges of shells are where their nodes are";
  EXPECT_TRUE(plate_and(kOffset + cntco(3) + kTwo).reported("CNTCO"));
  EXPECT_TRUE(plate_and(on + "*CONTACT_AUTOMATIC_GENERAL\n0\n\n\n").reported(edges));
  EXPECT_TRUE(plate_and(on + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n\n\n2,,,,,5\n").reported(edges));
  EXPECT_FALSE(plate_and(on + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n\n\n2,,,,,3\n").reported(edges));
  EXPECT_TRUE(plate_and(on + "*CONTACT_FORMING_NODES_TO_SURFACE\n1,2,3,3\n\n\n")
                  .reported("forming contacts have the surfaces of their meshes"));
  EXPECT_TRUE(plate_and(on + "*CONTACT_TIEBREAK_NODES_TO_SURFACE\n1,2,3,3\n\n\n1.,1.\n")
                  .reported("ties hold nodes where they are"));
  EXPECT_TRUE(plate_and(on + "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR\n1,2,3,3\n\n\n")
                  .reported("CNTCO = 1 has no effect on mortar contacts"));
}

TEST(ContactRefinements, SolidsAndThickness) {
  const BuiltDeck d = plate_and(kOffset + kTwo + "0\n,,,,1,,0.3,5.\n\n\n\n,2\n");
  EXPECT_DOUBLE_EQ(contact(d).solid_thickness, 0.3) << d.problems();
  EXPECT_DOUBLE_EQ(contact(d).solid_modulus, 5.0);
  EXPECT_TRUE(contact(d).symmetric);
  EXPECT_EQ(contact(d).ignroff, 2);
  EXPECT_TRUE(contact(plate_and(kOffset + kTwo + "*CONTROL_CONTACT\n\n\n\n\n1\n")).symmetric);
  EXPECT_TRUE(plate_and(kOffset + kTwo + "2\n,,,,,,,5.\n").reported("SLDSTF = 5 has no effect"));
  EXPECT_TRUE(plate_and(kOffset + kTwo + "0\n,,,,,,-1.\n").reported("SLDTHK = -1: a negative value"));
  const std::string old = "*CONTACT_SURFACE_TO_SURFACE\n1,2,3,3\n\n\n0\n";
  EXPECT_TRUE(plate_and(kOffset + old + ",,,,,,0.3\n").reported("SLDTHK = 0.3 has no effect"));
  EXPECT_DOUBLE_EQ(contact(plate_and(kOffset + old + ",,2,,,,0.3\n")).solid_thickness, 0.3);
  EXPECT_EQ(contact(plate_and(kOffset + old + ",2\n*CONTROL_CONTACT\n,,,2\n")).shlthk, 0) << "THKOPT";
  EXPECT_TRUE(plate_and(kOffset + old + ",1\n").reported("THKOPT = 1 has no effect"));
  EXPECT_TRUE(
      plate_and("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n\n\n0\n0\n\n\n\n,1\n").reported("IGNROFF = 1"));
}

TEST(ContactRefinements, OfSegmentBasedContact) {
  const BuiltDeck d = plate_and(kOffset + kTwo + "2,,,,,5\n0\n,,,,3.\n\n,,,,0.5\n");
  EXPECT_DOUBLE_EQ(contact(d).edge_scale, 3.0) << d.problems();
  EXPECT_DOUBLE_EQ(contact(d).friction_scale, 0.5);
  const BuiltDeck none = plate_and(kOffset + kTwo + "1\n0\n,,,,3.\n\n,,,,0.5\n");
  EXPECT_DOUBLE_EQ(contact(none).edge_scale, 1.0);
  EXPECT_TRUE(none.reported("EDGEK = 3 has no effect"));
  EXPECT_TRUE(none.reported("FRICSF = 0.5 has no effect"));
  EXPECT_DOUBLE_EQ(contact(plate_and(kOffset + kTwo + "1\n0\n,,,0.25\n")).stiffness_step, 0.25);
  EXPECT_TRUE(plate_and(kOffset + kTwo + "0\n0\n,,,0.25\n").reported("DTSTIF = 0.25 has no effect"));
  EXPECT_TRUE(plate_and(kOffset + kTwo + "2\n0\n,,,-2.\n").reported("DTSTIF = -2 has no effect"));
}

TEST(ContactRefinements, RestitutionIsRefused) {
  const std::string contact = "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,,,,90.\n\n";
  EXPECT_TRUE(plate_and(contact + "0\n0\n\n\n,,,,,1\n").reported("ICOR"));
  EXPECT_FALSE(plate_and(contact + "0\n").reported("ICOR"));
}

TEST(ContactRefinements, ChangeOfThickness) {
  const std::string thinner = "*CONTROL_SHELL\n,,,1\n*CONTROL_CONTACT\n,,,,,1\n";
  const std::string single = "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n\n\n";
  EXPECT_TRUE(plate_and(kOffset + thinner + kTwo).reported("there is no contact of a single surface"));
  EXPECT_TRUE(plate_and(thinner + single).reported("single surfaces have the initial thickness"));
  EXPECT_TRUE(plate_and("*CONTROL_CONTACT\n,,,,,1\n" + single).reported("with ISTUPD = 0"));
}

TEST(ContactNames, OfTiesAloneAndErosion) {
  const std::string sides = "\n1,2,3,3\n\n\n";
  const BuiltDeck nodes = plate_and(kOffset + "*CONTACT_TIEBREAK_NODES_ONLY" + sides + "2.,3.\n");
  EXPECT_TRUE(contact(nodes).only_ties) << nodes.problems();
  EXPECT_EQ(contact(nodes).tiebreak.failure, TieFailure::force);
  const BuiltDeck both = plate_and(kOffset + "*CONTACT_TIEBREAK_SURFACE_TO_SURFACE_ONLY" + sides + "2.,3.\n");
  EXPECT_TRUE(contact(both).only_ties) << both.problems();
  EXPECT_EQ(contact(both).tiebreak.failure, TieFailure::stress);
  EXPECT_FALSE(
      contact(plate_and(kOffset + "*CONTACT_TIEBREAK_NODES_TO_SURFACE" + sides + "2.,3.\n")).only_ties);
  const BuiltDeck eroding =
      plate_and(kOffset + "*CONTACT_ERODING_ONE_WAY_SURFACE_TO_SURFACE" + sides + "0,1\n");
  EXPECT_EQ(contact(eroding).type, ContactType::automatic_nodes_to_surface) << eroding.problems();
  EXPECT_TRUE(contact(eroding).eroding);
  const BuiltDeck tied = plate_and(kOffset + "*CONTACT_TIED_SHELL_EDGE_TO_SOLID_OFFSET\n1,2,3,3\n\n\n");
  EXPECT_EQ(contact(tied).type, ContactType::tied_shell_edge_to_solid) << tied.problems();
  EXPECT_EQ(contact(tied).offset, TiedOffset::penalty);
}

}  // namespace
}  // namespace crumple::model
