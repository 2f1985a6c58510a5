// Cards of MAT_030, 031 and 159 in a deck: their fields reach the material, what is not supported is
// reported.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

BuiltDeck deck_with(const std::string& cards) { return plate_and(cards + "*DEFINE_CURVE\n7\n0,1\n1,2\n"); }

TEST(ConcreteAndAlloys, ConcreteByParameters) {
  const BuiltDeck d = deck_with(
      "*MAT_CSCM_TITLE\nbarrier\n9,2.4e-9,,,1,1.05,10.,1\n,\n11500.,12600.,14.5,0.3,10.5,0.0193,1.,\n"
      "0.747,1e-3,0.17,0.07,0.66,2e-3,0.16,0.08\n5.,90.,0.05,2.5e-4,3.5e-7\n"
      "100.,7.2,0.1,0.072,0.071,5.,1.,0.5\n1e-4,0.78,6e-5,0.48,21.,22.,0.9,1.1\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 159);
  EXPECT_EQ(m.field("CONCRETE"), 0);
  EXPECT_EQ(m.field("IRATE"), 1);
  EXPECT_EQ(m.field("ERODE"), 1.05);
  EXPECT_EQ(m.field("ITRETRC"), 1);
  EXPECT_EQ(m.field("K"), 12600);
  EXPECT_EQ(m.field("LAMDA1"), 0.17);
  EXPECT_EQ(m.field("BETA2"), 0.08);
  EXPECT_EQ(m.field("X0"), 90);
  EXPECT_EQ(m.field("GFS"), 0.071);
  EXPECT_EQ(m.field("PMOD"), 0.5);
  EXPECT_EQ(m.field("ETA0T"), 6e-5);
  EXPECT_EQ(m.field("REPOW"), 1.1);
}

TEST(ConcreteAndAlloys, ConcreteByItsStrength) {
  for (const char* name : {"*MAT_CSCM_CONCRETE\n", "*MAT_159_CONCRETE\n"}) {
    const BuiltDeck d = deck_with(std::string(name) + "9,2.4e-9,1,,0,1.1\n,\n35.,19.,2\n");
    EXPECT_EQ(d.problems(), "");
    const Material& m = d.model.materials.at(1);
    EXPECT_EQ(m.law, 159);
    EXPECT_EQ(m.field("CONCRETE"), 1);
    EXPECT_EQ(m.field("FPC"), 35);
    EXPECT_EQ(m.field("UNITS"), 2);
  }
  EXPECT_TRUE(deck_with("*MAT_CSCM_CONCRETE\n9,2.4e-9,3\n,\n35.,19.,2\n").reported("NPLOT"));
}

TEST(ConcreteAndAlloys, ShapeMemory) {
  const BuiltDeck d = deck_with("*MAT_SHAPE_MEMORY\n9,6.5e-9,60e3,0.3\n500.,560.,300.,200.,0.05,0.1,30e3\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 30);
  EXPECT_EQ(m.field("SIG_SAF"), 200);
  EXPECT_EQ(m.field("YMRT"), 30e3);
}

TEST(ConcreteAndAlloys, FrazerNashRubber) {
  const BuiltDeck d = deck_with(
      "*MAT_FRAZER_NASH_RUBBER_MODEL\n9,1.2e-6,0.495,1.,2.,3.,4.\n5.,6.,-7.,8.,1.,0.9,-0.9\n1.,2.,3.,7\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 31);
  EXPECT_EQ(m.field("C400"), 4);
  EXPECT_EQ(m.field("C010"), -7);
  EXPECT_EQ(m.field("EMIN"), -0.9);
  EXPECT_EQ(m.field("LCID"), 7);
  EXPECT_TRUE(deck_with("*MAT_031\n9,1.2e-6,0.495,1.\n,,,,1.,,,1.\n0\n").reported("REF"));
}

}  // namespace
}  // namespace crumple::model
