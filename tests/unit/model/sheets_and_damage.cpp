// Cards of MAT_105, 120, 122, 133 and *MAT_ADD_DAMAGE_DIEM in a deck: their fields reach the material, what
// is not supported is reported.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

BuiltDeck deck_with(const std::string& cards) { return plate_and(cards + "*DEFINE_CURVE\n7\n0,1\n1,2\n"); }

TEST(SheetsAndDamage, Yld2000) {
  const std::string ends = "2,30.,0.1\n,,,1,0,0\n0\n";
  const BuiltDeck d =
      deck_with("*MAT_BARLAT_YLD2000\n9,8e-6,210.,0.3\n,,,,,-7,8.\n0.9,1.,1.1,1.,1.,1.,1.,1.2\n" + ends);
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 133);
  EXPECT_EQ(m.field("ALPHA1"), 0.9);
  EXPECT_EQ(m.field("ALPHA8"), 1.2);
  EXPECT_EQ(m.field("A"), 8);
  EXPECT_EQ(m.field("HARD"), -7);
  EXPECT_EQ(m.field("OFFANG"), 30);
  EXPECT_EQ(m.field("P4"), 0.1);
  EXPECT_EQ(m.field("A1"), 1);
  const BuiltDeck fit =
      deck_with("*MAT_133\n9,8e-6,210.,0.3,1\n,,,,,-7,8.\n.3,.31,.32,0.8,0.7,0.9\n.33,.33,0,1,-1\n" + ends);
  EXPECT_EQ(fit.problems(), "");
  EXPECT_EQ(fit.model.materials.at(1).field("SIG90"), 0.32);
  EXPECT_EQ(fit.model.materials.at(1).field("R90"), 0.9);
  EXPECT_EQ(fit.model.materials.at(1).field("DYY"), -1);
  const std::string alphas = "1,1,1,1,1,1,1,1\n";
  EXPECT_TRUE(deck_with("*MAT_133\n9,8e-6,210.,0.3,,0.5\n,,,,,-7,8.\n" + alphas + ends).reported("BETA"));
  EXPECT_TRUE(deck_with("*MAT_133\n9,8e-6,210.,0.3\n,,,40.,5.,-7,8.\n" + alphas + ends).reported("rate"));
}

TEST(SheetsAndDamage, Hill3R) {
  const BuiltDeck d = deck_with("*MAT_HILL_3R\n9,8e-6,210.,0.3,3\n1.8,1.2,2.4,7\n2\n,,,1\n,,,,,,15.\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 122);
  EXPECT_EQ(m.field("R90"), 2.4);
  EXPECT_EQ(m.field("LCID"), 7);
  EXPECT_EQ(m.field("BETA"), 15);
  EXPECT_TRUE(deck_with("*MAT_122\n9,8e-6,210.,0.3,7\n1,1,1\n0\n0\n0\n").reported("HR"));
  EXPECT_TRUE(deck_with("*MAT_HILL_3R_TABULATED\n9,8e-6,210.,0.3,7\n1,1,1\n0\n0\n0\n").reported("CR-D102"));
}

TEST(SheetsAndDamage, Gurson) {
  const BuiltDeck d = deck_with(
      "*MAT_GURSON\n9,8e-6,210.,0.3,0.3,5.,1.5,1.\n0.1,0.01,0.3,0.1,0.04,,1,0.2\n0\n0\n1,2,,,0.3,0.2\n"
      "7,,3,,,,2\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 120);
  EXPECT_EQ(m.field("Q1"), 1.5);
  EXPECT_EQ(m.field("FN"), 0.04);
  EXPECT_EQ(m.field("L2"), 2);
  EXPECT_EQ(m.field("FF2"), 0.2);
  EXPECT_EQ(m.field("NUMINT"), 3);
  EXPECT_EQ(m.field("VGTYP"), 2);
  EXPECT_TRUE(deck_with("*MAT_GURSON_JC\n9,8e-6,210.,0.3\n0\n").reported("CR-D102"));
}

TEST(SheetsAndDamage, AnisotropicViscoplastic) {
  const std::string ends = "2,0.5,3\n,,,1\n,,,0,1,0\n";
  const BuiltDeck d =
      deck_with("*MAT_103\n9,8e-6,210.,0.3,0.3\n0.1,20.,0.05,9.\n,,0.4,0.6,0.5,1.,1.2,1.3\n" + ends);
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 103);
  EXPECT_EQ(m.field("QR2"), 0.05);
  EXPECT_EQ(m.field("R45/G"), 0.6);
  EXPECT_EQ(m.field("N"), 1.3);
  EXPECT_EQ(m.field("FAIL"), 0.5);
  EXPECT_EQ(m.field("D2"), 1);
  const BuiltDeck back = deck_with("*MAT_103\n9,8e-6,210.,0.3,0.3\n0.1,20.,,,0.1,2.,0.2,3.\n0\n" + ends);
  EXPECT_EQ(back.problems(), "");
  EXPECT_EQ(back.model.materials.at(1).field("QX1"), 0.1);
  EXPECT_EQ(back.model.materials.at(1).field("CX2"), 3);
  const BuiltDeck viscous = deck_with("*MAT_103\n9,8e-6,210.,0.3,0.3\n0.1,20.\n0.1,0.2\n" + ends);
  EXPECT_EQ(viscous.problems(), "");
  EXPECT_EQ(viscous.model.materials.at(1).field("VM"), 0.2);
}

TEST(SheetsAndDamage, OptionsOfModifiedPiecewiseLinearPlasticity) {
  const std::string cards = "9,8e-6,210.,0.3,0.3,5.\n,,,,,0.2\n0,1\n0.3,0.4\n";
  const BuiltDeck d = deck_with("*MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY_RTCL\n" + cards + "7,0.4,0.9\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 123);
  EXPECT_EQ(m.field("EPSTHIN"), 0.2);
  EXPECT_EQ(m.field("LCTSRF"), 7);
  EXPECT_EQ(m.field("EPS0"), 0.4);
  EXPECT_EQ(m.field("TRIAX"), 0.9);
  EXPECT_EQ(deck_with("*MAT_123_RATE_TITLE\na title\n" + cards + "7\n").problems(), "");
  EXPECT_TRUE(deck_with("*MAT_123_RTCL\n" + cards + ",0.4,,1\n").reported("IPS"));
  EXPECT_TRUE(deck_with("*MAT_123_RTCL\n" + cards + ",0.4,,,7\n").reported("LCEMOD"));
}

TEST(SheetsAndDamage, Damage2) {
  const BuiltDeck d = deck_with("*MAT_DAMAGE_2\n9,8e-6,210.,0.3,0.3,2.\n40.,5.\n0.1,1e-3\n0\n0\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 105);
  EXPECT_EQ(m.field("EPSD"), 0.1);
  EXPECT_EQ(m.field("S"), 1e-3);
  EXPECT_EQ(m.field("DC"), 0.5);
}

TEST(SheetsAndDamage, Diem) {
  const BuiltDeck d = deck_with("*MAT_ADD_DAMAGE_DIEM\n1,2,,,-60.\n0,7\n0,1,0.2\n1,7,0.3,1\n1,0,0.05,,,7\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(0);
  EXPECT_EQ(m.field("DIEM.NDIEMC"), 2);
  EXPECT_EQ(m.field("DIEM.NUMFIP"), -60);
  EXPECT_EQ(m.field("DIEM.1.P1"), 7);
  EXPECT_EQ(m.field("DIEM.1.DCTYP"), 1);
  EXPECT_EQ(m.field("DIEM.1.Q1"), 0.2);
  EXPECT_EQ(m.field("DIEM.2.DITYP"), 1);
  EXPECT_EQ(m.field("DIEM.2.P2"), 0.3);
  EXPECT_EQ(m.field("DIEM.2.Q4"), 7);
  EXPECT_TRUE(deck_with("*MAT_ADD_DAMAGE_DIEM\n1,1\n0,7\n0,0,0.2,1\n").reported("Q2"));
  EXPECT_TRUE(deck_with("*MAT_ADD_DAMAGE_DIEM\n1,1,1\n0,7\n0,0,0.2\n").reported("DINIT"));
  EXPECT_TRUE(deck_with("*MAT_ADD_DAMAGE_DIEM\n9,1\n0,7\n0,0,0.2\n").reported("CR-D302"));
}

TEST(SheetsAndDamage, NonlocalIsRefusedByName) {
  const BuiltDeck d = deck_with("*MAT_NONLOCAL\n1,1,8,2,5.,10,1\n1\n");
  EXPECT_TRUE(d.reported("CR-D102")) << d.problems();
  EXPECT_TRUE(d.reported("non-local")) << d.problems();
}

}  // namespace
}  // namespace crumple::model
