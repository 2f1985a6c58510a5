// *INTEGRATION_BEAM and *INTEGRATION_SHELL: what is read, and what is reported.
#include <gtest/gtest.h>

#include <string>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const std::string kBeam = "*NODE\n7,0,0,9\n*PART\nbeam\n9,9,1\n*ELEMENT_BEAM\n1,9,1,2,7\n";

TEST(IntegrationRules, AStandardSection) {
  const BuiltDeck d = plate_and("*SECTION_BEAM\n9,1,1.0,-3\n0,0,0,0\n*INTEGRATION_BEAM\n3,0,0,1,2\n" +
                                std::string("4.0,0.2,6.0,0.1,0.5,-0.5\n") + kBeam);
  EXPECT_EQ(d.problems(), "");
  const Section& s = d.model.sections[1];
  EXPECT_EQ(s.rule.id, 3);
  EXPECT_EQ(s.rule.shape, 1);
  EXPECT_EQ(s.rule.refinement, 2);
  EXPECT_EQ(s.rule.size, (std::array<double, 6>{4, 0.2, 6, 0.1, 0, 0}));
  EXPECT_EQ(s.rule.sref, 0.5);
  EXPECT_EQ(s.rule.tref, -0.5);
  EXPECT_EQ(s.ts[0], 4.0);  // for contact
  EXPECT_EQ(s.tt[1], 6.0);
}

TEST(IntegrationRules, PointsOfTheUser) {
  const BuiltDeck d = plate_and("*SECTION_BEAM\n9,4,1.0,-3\n4.,4.,6.,6.\n*INTEGRATION_BEAM\n3,2,0.5\n" +
                                std::string("-0.5,0.0,0.25\n0.5,0.0,0.75\n") + kBeam);
  EXPECT_EQ(d.problems(), "");
  const BeamRule& rule = d.model.sections[1].rule;
  ASSERT_EQ(rule.points.size(), 2u);
  EXPECT_EQ(rule.relative_area, 0.5);
  EXPECT_EQ(rule.points[1].s, 0.5);
  EXPECT_EQ(rule.points[1].weight, 0.75);
}

TEST(IntegrationRules, WhatIsWrongWithRulesOfBeams) {
  const auto with = [](const std::string& rule, const std::string& section = "9,1,1.0,-3\n4.,4.,6.,6.\n") {
    return plate_and("*SECTION_BEAM\n" + section + rule + kBeam);
  };
  EXPECT_TRUE(with("").reported("*INTEGRATION_BEAM 3 does not exist"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,1,1.0\n0,0,0.5\n").reported("their sum is 0.5, expected 1"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,1,0.0\n0,0,1.0\n").reported("RA = 0 must be positive"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,1,1.0\n1.5,0,1.0\n").reported("a point at 1.5, expected -1 to 1"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,1,1.0\n0,0,1.0,1\n").reported("a material of a point (PID)"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,0,0,3\n4.,0.1,6.,0.1\n")
                  .reported("CR-D320: *INTEGRATION_BEAM 3: the standard section ICST = 3"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,0,0,1\n4.,4.,6.,0.1\n").reported("make no cross-section of ICST 1"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,0,0,8,9\n4.\n").reported("K = 9, expected 0 to 7"));
  EXPECT_TRUE(with("*INTEGRATION_BEAM\n3,1,1.0\n0,0,1.0\n3,1,1.0\n0,0,1.0\n")
                  .reported("*INTEGRATION_BEAM 3 is defined twice"));
}

}  // namespace
}  // namespace crumple::model
