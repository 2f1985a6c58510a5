// Cohesive elements in a deck: zero thickness is read, wrong laws and input are reported, faces for contact.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "model/solid_faces.hpp"

namespace crumple::model {
namespace {

const char* const kLaw = "*MAT_COHESIVE_ELASTIC\n2,1.e-6,1,1.,60.,100.\n";

/// Two bricks with a layer of no thickness between them: nodes 1 to 8, and 11 to 18 above.
BuiltDeck layered(const std::string& law, const std::string& section = "2,19", const std::string& more = "",
                  const std::string& nodes = "5,6,7,8,11,12,13,14") {
  std::string text =
      "*KEYWORD\n*CONTROL_TERMINATION\n1.\n*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,"
      "1,1\n"
      "8,0,1,1\n11,0,0,1\n12,1,0,1\n13,1,1,1\n14,0,1,1\n15,0,0,2\n16,1,0,2\n17,1,1,2\n18,0,1,2\n"
      "*ELEMENT_SOLID\n1,1,1,2,3,4,5,6,7,8\n2,1,11,12,13,14,15,16,17,18\n3,2," +
      nodes + "\n*PART\nblocks\n1,1,1\n*PART\nlayer\n2,2,2\n*SECTION_SOLID\n1,1\n*SECTION_SOLID\n" + section +
      "\n*MAT_ELASTIC\n1,7.8e-6,210.,0.3\n" + law + more + "*END\n";
  return build(text);
}

TEST(CohesiveDeck, LayersWithoutThicknessAreRead) {
  const BuiltDeck d = layered(kLaw);
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 184);
  EXPECT_EQ(m.field("ET"), 60);
  EXPECT_EQ(m.field("EN"), 100);
  EXPECT_EQ(m.field("ROFLG"), 1);
  EXPECT_EQ(d.model.sections.at(1).elform, 19);
}

TEST(CohesiveDeck, FieldsOfTheLawsReachTheMaterial) {
  const BuiltDeck mixed = layered("*MAT_138\n2,1.e-6,1,-2.,100.,60.,0.5,2.\n-1.5,30.,-7.,0.1,0.2,3.\n",
                                  "2,19", "*DEFINE_CURVE\n7\n1.,50.\n2.,60.\n");
  EXPECT_EQ(mixed.problems(), "");
  const Material& m = mixed.model.materials.at(1);
  EXPECT_EQ(m.law, 138);
  EXPECT_EQ(m.field("INTFAIL"), -2);
  EXPECT_EQ(m.field("XMU"), -1.5);
  EXPECT_EQ(m.field("S"), -7);
  EXPECT_EQ(m.field("GAMMA"), 3);
  const BuiltDeck th = layered("*MAT_COHESIVE_TH\n2,1.e-6,1,1.,30.,0.1,0.2\n0.1,0.5,1.,2.\n");
  EXPECT_EQ(th.problems(), "");
  EXPECT_EQ(th.model.materials.at(1).field("STFSF"), 2);
  const BuiltDeck general = layered("*MAT_186\n2,1.e-6,1,1.,1.,7,0.5,2.\n1.5,30.,50.\n", "2,19",
                                    "*DEFINE_CURVE\n7\n0.,0.\n0.1,1.\n1.,0.\n");
  EXPECT_EQ(general.problems(), "");
  EXPECT_EQ(general.model.materials.at(1).field("TES"), 1);
  const std::string rates =
      "*MAT_240\n2,1.e-6,1,1.,20.,12.,0.2,-3.\n-1.,2.,3.,-3.,4.,5.,0.4,7\n-1.5,2.5,3.5,-5.,-4.,5.,0.6\n";
  const BuiltDeck rate = layered(rates, "2,19", "*DEFINE_CURVE\n7\n0.1,1.\n1.,2.\n");
  EXPECT_EQ(rate.problems(), "");
  EXPECT_EQ(rate.model.materials.at(1).law, 240);
  EXPECT_EQ(rate.model.materials.at(1).field("INICRT"), -3);
  EXPECT_EQ(rate.model.materials.at(1).field("S1"), -4);
  EXPECT_TRUE(layered(rates + "0.1\n").reported("RFILTF"));
}

/// *MAT_ARUP_ADHESIVE is for ordinary bricks.
TEST(CohesiveDeck, AdhesiveBricks) {
  const std::string law = "*MAT_ARUP_ADHESIVE\n2,1.e-6,2.,0.35,0.03,1.5e-3,0.02,4.e-3\n";
  const std::string corners = "5,6,7,8,15,16,17,18";
  const BuiltDeck d = layered(law + "1.5,3.,0.2,0.1,,,1\n", "2,1", "", corners);
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 169);
  EXPECT_EQ(m.field("TENMAX"), 0.03);
  EXPECT_EQ(m.field("PWRS"), 3);
  EXPECT_EQ(m.field("SHT_SL"), 0.1);
  EXPECT_EQ(m.field("THKDIR"), 1);
  EXPECT_TRUE(layered(law + "2.,2.,,,,100.\n1.5,1.5\n", "2,1", "", corners).reported("EDOT2"));
  EXPECT_TRUE(layered(law + "2.,2.,,,,,,1\n1\n1\n", "2,1", "", corners).reported("EXTRA"));
}

TEST(CohesiveDeck, LawsOfOtherElementsAreRefusedByName) {
  const BuiltDeck wrong = layered("*MAT_ELASTIC\n2,7.8e-6,210.,0.3\n");
  EXPECT_TRUE(wrong.reported("*MAT_ELASTIC 2 with cohesive elements of ELFORM 19")) << wrong.problems();
  const BuiltDeck solid = layered(kLaw, "2,1", "", "1,2,3,4,5,6,7,8");
  EXPECT_TRUE(solid.reported("*MAT_COHESIVE_ELASTIC 2 is for cohesive elements only")) << solid.problems();
}

TEST(CohesiveDeck, OtherSolidsStillNeedAVolume) {
  const BuiltDeck d = layered("*MAT_ELASTIC\n2,7.8e-6,210.,0.3\n", "2,1");
  EXPECT_TRUE(d.reported("CR-E201")) << d.problems();
}

TEST(CohesiveDeck, CohoffLiesBetweenTheSurfaces) {
  EXPECT_EQ(layered(kLaw, "2,20,0,,,,0.5", "", "1,2,3,4,15,16,17,18").model.sections.at(1).nloc, 0.5);
  EXPECT_TRUE(layered(kLaw, "2,20,0,,,,1.5").reported("COHOFF = 1.5"));
}

TEST(CohesiveDeck, InteriorContactIsRefused) {
  const BuiltDeck d = layered(kLaw, "2,19", "*SET_PART_LIST\n1\n1,2\n*CONTACT_INTERIOR\n1\n");
  EXPECT_TRUE(d.reported("part 2 of part set 1 has cohesive elements")) << d.problems();
}

/// The layer hides the faces that it joins; its sides, which may have no area, are no faces.
TEST(CohesiveDeck, OnlySurfacesAreFaces) {
  const BuiltDeck d = layered(kLaw);
  EXPECT_EQ(faces_of(d.model, 2).size(), 2u);
  EXPECT_EQ(faces_of(d.model, 0).size(), 6u);
  EXPECT_EQ(exterior_faces(d.model).size(), 10u);
}

}  // namespace
}  // namespace crumple::model
