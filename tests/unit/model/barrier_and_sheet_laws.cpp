// Cards of MAT_026, 036, 126, 187 and 224 in a deck: their fields reach the material, what is not supported
// is reported.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

/// Curve 7.
constexpr const char* kCurve = "*DEFINE_CURVE\n7\n0,1\n1,2\n";

BuiltDeck with(const std::string& cards) { return plate_and(cards + kCurve); }

TEST(LawsOfBarriersAndSheets, Honeycomb) {
  const BuiltDeck d = with(
      "*MAT_026\n9,8e-11,70.,0.3,0.2,0.15,,1\n7,,,,,,,7\n1.,0.5,0.4,0.3,0.2,0.1,2.,2\n0,0,0,0,0,1\n1,0,0,0.5,"
      "0.6,1,2,3\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 26);
  EXPECT_EQ(m.field("VF"), 0.15);
  EXPECT_EQ(m.field("BULK"), 1);
  EXPECT_EQ(m.field("GCAU"), 0.1);
  EXPECT_EQ(m.field("MACF"), 2);
  EXPECT_EQ(m.field("A3"), 1);
  EXPECT_EQ(m.field("SSEF"), 0.6);
  EXPECT_EQ(m.field("V3"), 3);
}

TEST(LawsOfBarriersAndSheets, ModifiedHoneycomb) {
  const std::string begin = "*MAT_MODIFIED_HONEYCOMB\n9,8e-11,70.,0.3,0.2,0.15\n",
                    moduli = "1.,0.5,0.4,0.3,0.2,0.1\n0\n";
  const BuiltDeck d = with(begin + "7,,,,,,,-1\n" + moduli + "0,0,0,0.5,0.6\n1,2,3\n7,,,,,7\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 126);
  EXPECT_EQ(m.field("LCSR"), -1);
  EXPECT_EQ(m.field("V3"), 3);
  EXPECT_EQ(m.field("LCSRCA"), 7);
  EXPECT_EQ(with(begin + "7,,,,,,,7\n" + moduli + "0,0,0,0.5,0.6\n").problems(), "")
      << "without cards 6 and 7";
  const BuiltDeck spring = with(begin + "7\n" + moduli + "0,0,0,0,0,0.5\n");
  EXPECT_TRUE(spring.reported("VREF")) << spring.problems();
}

TEST(LawsOfBarriersAndSheets, Barlat) {
  const BuiltDeck d =
      with("*MAT_3-PARAMETER_BARLAT\n9,8e-6,210.,0.3,3\n8,1.8,1.2,2.4,7\n2,40.,5.\n,,,1,0,0\n0\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 36);
  EXPECT_EQ(m.field("R90"), 2.4);
  EXPECT_EQ(m.field("LCID"), 7);
  EXPECT_EQ(m.field("C"), 40);
  EXPECT_EQ(m.field("A1"), 1);
  const BuiltDeck other = with("*MAT_036\n9,8e-6,210.,0.3,7\n8,1.8,1.2,2.4,7\n0\n0\n0\n");
  EXPECT_TRUE(other.reported("HR")) << other.problems();
}

TEST(LawsOfBarriersAndSheets, Samp) {
  const BuiltDeck d = with("*MAT_SAMP-1\n9,1e-6,,,2.,0.4\n7,7,,,0.3\n-7,0.5,0.1\n,,,-1,1,1.1\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 187);
  EXPECT_EQ(m.field("LCID-C"), 7);
  EXPECT_EQ(m.field("LCID-D"), -7);
  EXPECT_EQ(m.field("DEPRPT"), 0.1);
  EXPECT_EQ(m.field("INCFAIL"), -1);
  EXPECT_EQ(m.field("ASAF"), 1.1);
  const BuiltDeck four = with("*MAT_187\n9,1e-6,,,2.,0.4,1.1\n7,7,7,7,0.3\n0\n0\n");
  EXPECT_TRUE(four.reported("RBCFAC")) << four.problems();
  EXPECT_TRUE(four.reported("LCID-B")) << four.problems();
}

TEST(LawsOfBarriersAndSheets, TabulatedJohnsonCook) {
  const BuiltDeck d = with("*MAT_224\n9,8e-6,210.,0.3,,,,3\n7,,7,7,,7\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 224);
  EXPECT_EQ(m.field("NUMINT"), 3);
  EXPECT_EQ(m.field("LCI"), 7);
  const BuiltDeck hot = with("*MAT_TABULATED_JOHNSON_COOK\n9,8e-6,210.,0.3\n7,7\n1\n");
  EXPECT_TRUE(hot.reported("LCKT")) << hot.problems();
  EXPECT_TRUE(hot.reported("FAILOPT")) << hot.problems();
}

}  // namespace
}  // namespace crumple::model
