// *MAT_ADD_EROSION in a deck: its fields reach the material, and what is not supported is reported.
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

TEST(AddErosion, DamageModelsAreRefused) {
  const BuiltDeck d = plate_and("*MAT_ADD_EROSION\n1\n,0.4\n1\n");
  EXPECT_TRUE(d.deck.has_errors());
  EXPECT_TRUE(d.reported("GISSMO")) << d.problems();
}

}  // namespace
}  // namespace crumple::model
