// *MAT_ADD_EROSION and *MAT_ADD_DAMAGE_GISSMO in a deck: their fields reach the material, and what is not
// supported is reported.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

TEST(AddErosion, FieldsReachTheMaterial) {
  const BuiltDeck d = plate_and("*MAT_ADD_EROSION\n1,,,,,,3\n,0.4,,,,,,2.5\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(0);
  EXPECT_EQ(m.field("E"), 100.0);
  EXPECT_EQ(m.field("EROSION.SIGP1"), 0.4);
  EXPECT_EQ(m.field("EROSION.NUMFIP"), 3);
  EXPECT_EQ(m.field("EROSION.NCS"), 1);
  EXPECT_EQ(m.field("EROSION.FAILTM"), 2.5);
}

TEST(AddErosion, NeedsItsMaterialAndComesOnce) {
  const std::string card = "*MAT_ADD_EROSION\n1\n,0.4\n";
  EXPECT_TRUE(plate_and("*MAT_ADD_EROSION\n7\n,0.4\n").reported("CR-D302: *MAT_ADD_EROSION: material 7"));
  EXPECT_TRUE(plate_and(card + card).reported("CR-D301: *MAT_ADD_EROSION: material 1 has one already"));
}

TEST(AddErosion, OtherDamageModelsAreRefused) {
  const BuiltDeck d = plate_and("*MAT_ADD_EROSION\n1\n,0.4\n-1\n0,1\n1,2\n");
  EXPECT_TRUE(d.deck.has_errors());
  EXPECT_TRUE(d.reported("DIEM")) << d.problems();
}

TEST(AddErosion, HasTheCardsOfGissmo) {
  const BuiltDeck d = plate_and(
      "*MAT_ADD_EROSION\n1\n,\n1,1,7,0.2,2.,,1.5,8\n0,5.,0,9,0.5\n*DEFINE_CURVE\n7\n0,1\n1,1\n"
      "*DEFINE_CURVE\n8\n0,1\n1,1\n*DEFINE_CURVE\n9\n0,1\n1,1\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(0);
  EXPECT_EQ(m.field("EROSION.LCSDG"), 7);
  EXPECT_EQ(m.field("EROSION.REFSZ"), 5);
  EXPECT_EQ(m.field("EROSION.LCSRS"), 9);
  EXPECT_EQ(m.field("EROSION.SHRF"), 0.5);
}

TEST(AddDamage, FieldsReachTheMaterial) {
  const BuiltDeck d =
      plate_and("*MAT_ADD_DAMAGE_GISSMO\n1,,1,5.,-60.\n7,0.2,2.,,1.5\n,,,,,,\n*DEFINE_CURVE\n7\n0,1\n1,1\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(0);
  EXPECT_EQ(m.field("DAMAGE.DTYP"), 1);
  EXPECT_EQ(m.field("DAMAGE.NUMFIP"), -60);
  EXPECT_EQ(m.field("DAMAGE.LCSDG"), 7);
  EXPECT_EQ(m.field("DAMAGE.FADEXP"), 1.5);
}

TEST(AddDamage, NeedsItsMaterialAndComesOnce) {
  const std::string card = "*MAT_ADD_DAMAGE_GISSMO\n1,,1\n7\n", curve = "*DEFINE_CURVE\n7\n0,1\n1,1\n";
  EXPECT_TRUE(plate_and("*MAT_ADD_DAMAGE_GISSMO\n9,,1\n7\n").reported("CR-D302"));
  EXPECT_TRUE(plate_and(card + card + curve).reported("CR-D301: *MAT_ADD_DAMAGE_GISSMO: material 1 has one"));
}

TEST(AddDamage, OptionsThatAreNotSupportedAreRefused) {
  for (const char* const card : {"1,,11\n7\n", "1,,1\n7,,,,,,1\n", "1,,1\n7\n,,,,1.\n", "1,,1\n7\n,,,,,1.\n",
                                 "1,,1\n7\n,,,,,,0.5\n", "1,,1\n7\n,,,,,,,1.\n"})
    EXPECT_TRUE(plate_and("*MAT_ADD_DAMAGE_GISSMO\n" + std::string(card)).reported("CR-D203")) << card;
}

}  // namespace
}  // namespace crumple::model
