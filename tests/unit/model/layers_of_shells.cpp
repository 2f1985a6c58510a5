// *INTEGRATION_SHELL, *PART_COMPOSITE with layers of different laws, cards of MAT_032 and MAT_280.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const std::string kGlass =
    "*MAT_LAMINATED_GLASS\n9,2.5e-6,70.,0.22,0.06,1.,0.001,0.3\n0.4,0.01,0.02\n"
    "0.,1.,0.,0.,0.,0.,0.,0.\n0.,1.\n";

/// A second part with the section 2, whose rule is 4, and the material 9.
std::string windscreen(const std::string& rule, const std::string& section = "2,2,0.8333,5,0,-4") {
  return "*PART\nscreen\n2,2,9\n*SECTION_SHELL\n" + section +
         "\n5.,5.,5.,5.\n*ELEMENT_SHELL\n21,2,1,2,5,4\n" + rule;
}

TEST(LayersOfShells, RuleOfTheUser) {
  const BuiltDeck d =
      plate_and(kGlass + windscreen("*INTEGRATION_SHELL\n4,3,0,0\n-0.6,0.4\n0.,0.2\n0.6,0.4\n"));
  EXPECT_EQ(d.problems(), "");
  const Section& s = d.model.sections.at(1);
  EXPECT_TRUE(s.own_rule);
  EXPECT_EQ(s.nip, 3);
  ASSERT_EQ(s.plies.size(), 3u);
  EXPECT_EQ(s.plies[0].at, -0.6);
  EXPECT_EQ(s.plies[1].thickness, 0.2);
  EXPECT_EQ(s.plies[2].number, 3);
  EXPECT_EQ(s.plies[2].material, kNone);
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 32);
  EXPECT_EQ(m.field("F2"), 1);
  EXPECT_EQ(m.field("F10"), 1);
  EXPECT_EQ(m.field("EFG"), 0.001);
}

TEST(LayersOfShells, PointsAreSortedAndKeepTheirNumbers) {
  const BuiltDeck d =
      plate_and(kGlass + windscreen("*INTEGRATION_SHELL\n4,3,0,1\n0.6,0.4\n0.,0.2\n-0.6,0.4\n"));
  EXPECT_EQ(d.problems(), "");
  const Section& s = d.model.sections.at(1);
  ASSERT_EQ(s.plies.size(), 3u);
  EXPECT_EQ(s.plies[0].at, -0.6);
  EXPECT_EQ(s.plies[0].number, 3);
}

TEST(LayersOfShells, EqualLayers) {
  const BuiltDeck d = plate_and(kGlass + windscreen("*INTEGRATION_SHELL\n4,4,1\n"));
  EXPECT_EQ(d.problems(), "");
  const Section& s = d.model.sections.at(1);
  ASSERT_EQ(s.plies.size(), 4u);
  EXPECT_EQ(s.plies[3].thickness, 0.25);
  EXPECT_EQ(s.plies[3].at, Ply::kInItsMiddle);
}

TEST(LayersOfShells, PartsOfARule) {
  const std::string film = "*PART\nfilm\n3,2,8\n*MAT_ELASTIC\n8,1.1e-6,0.1,0.45\n";
  const std::string points = "-0.6,0.4\n0.,0.2,3\n0.6,0.4\n";
  const BuiltDeck d = plate_and(kGlass + film + windscreen("*INTEGRATION_SHELL\n4,3,0,1\n" + points));
  EXPECT_EQ(d.problems(), "");
  const Section& s = d.model.sections.at(1);
  ASSERT_EQ(s.plies.size(), 3u);
  ASSERT_NE(s.plies[1].material, kNone);
  EXPECT_EQ(d.model.materials[at(s.plies[1].material)].id, 8);
  EXPECT_TRUE(plate_and(kGlass + film + windscreen("*INTEGRATION_SHELL\n4,3,0,0\n" + points))
                  .reported("FAILOPT = 0"));
}

TEST(LayersOfShells, RulesThatCannotBe) {
  const auto with = [](const std::string& rule) { return plate_and(kGlass + windscreen(rule)); };
  EXPECT_TRUE(with("").reported("integration rule 4 does not exist"));
  EXPECT_TRUE(with("*INTEGRATION_SHELL\n4,2\n-0.5,0.5\n0.5,0.3\n").reported("sum of WF"));
  EXPECT_TRUE(with("*INTEGRATION_SHELL\n4,2\n-1.5,0.5\n0.5,0.5\n").reported("S = -1.5"));
  EXPECT_TRUE(with("*INTEGRATION_SHELL\n4,0,1\n").reported("no points"));
  const BuiltDeck plain = plate_and(kGlass + windscreen("", "2,2,0.8333,5"));
  EXPECT_TRUE(plain.reported("needs a section with an integration rule")) << plain.problems();
  EXPECT_TRUE(plate_and(kGlass + windscreen("*INTEGRATION_SHELL\n4,2,1\n", "2,9,0.8333,1,0,-4"))
                  .reported("integration rule 4 of the user"));
}

TEST(LayersOfShells, Glass) {
  const BuiltDeck d = plate_and("*MAT_GLASS\n9,2.5e-6,70.,0.23\n1.,0.05,0.6\n0.1,0.2,1.,,20.\n0.3\n");
  EXPECT_EQ(d.problems(), "");
  const Material& m = d.model.materials.at(1);
  EXPECT_EQ(m.law, 280);
  EXPECT_EQ(m.field("FT"), 0.05);
  EXPECT_EQ(m.field("SFSTR"), 0.2);
  EXPECT_EQ(m.field("CRIN"), 1);
  EXPECT_EQ(m.field("NCYCR"), 20);
  EXPECT_EQ(m.field("EPSCR"), 0.3);
  const std::string first = "*MAT_280\n9,2.5e-6,70.,0.23\n";
  EXPECT_TRUE(plate_and(first + "0.,0.05,0.6,,,,,3.\n0.,0.\n").reported("FTSCL"));
  EXPECT_TRUE(plate_and(first + "0.,0.05,0.6\n0.,0.,0.,0.001\n").reported("ECRCL"));
  EXPECT_TRUE(plate_and(first + "0.,0.05,0.6\n0.,0.,0.,,,1.\n").reported("NIPF"));
  EXPECT_TRUE(plate_and(first + "0.,0.05,0.6\n0.,0.\n0.,5.\n").reported("ENGCRT"));
  EXPECT_TRUE(plate_and(first + "10.,0.05,0.6\n0.,0.\n").reported("FMOD"));
}

TEST(LayersOfShells, LawsMayDiffer) {
  const BuiltDeck d = plate_and(
      "*MAT_GLASS\n9,2.5e-6,70.,0.23\n0.,0.05,0.6\n0.,0.\n*MAT_RIGID\n8,2.5e-6,70.,0.23\n0.\n\n"
      "*PART_COMPOSITE\nscreen\n5,16,0.8333\n9,2.1,0.,0,1,0.76\n9,2.1\n*ELEMENT_SHELL\n15,5,1,2,5,4\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.sections.at(1).plies.size(), 3u);
  EXPECT_TRUE(
      plate_and(
          "*MAT_RIGID\n8,2.5e-6,70.,0.23\n0.\n\n*PART_COMPOSITE\nscreen\n5,16,0.8333\n1,2.1,0.,0,8,0.76\n"
          "*ELEMENT_SHELL\n15,5,1,2,5,4\n")
          .reported("rigid layers"));
  EXPECT_TRUE(plate_and("*MAT_VISCOELASTIC\n8,1e-6,1.,0.1,0.05,1.\n*PART_COMPOSITE\nscreen\n5,16,0.8333\n"
                        "1,2.1,0.,0,8,0.76\n*ELEMENT_SHELL\n15,5,1,2,5,4\n")
                  .reported("not supported in shells"));
}

}  // namespace
}  // namespace crumple::model
