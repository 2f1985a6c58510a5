// *ELEMENT_SHELL_COMPOSITE: layers of elements, and what is reported.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const std::string kLaw =
    "*MAT_ORTHOTROPIC_ELASTIC\n7,2.0,100.0,50.0,50.0,0.1,0.1,0.1\n20.0,20.0,20.0,0.0\n,\n,\n";

std::string element(int id, double first, double second, const std::string& offset = "") {
  return std::string("*ELEMENT_SHELL_") + (offset.empty() ? "" : "OFFSET_") + "COMPOSITE\n" +
         std::to_string(id) + ",1,1,2,5,4\n" + (offset.empty() ? "" : offset + "\n") + "7,0.25," +
         std::to_string(first) + ",,7,0.5," + std::to_string(second) + "\n7,0.25," + std::to_string(first) +
         "\n";
}

TEST(CompositeShells, HaveSectionsThatTheyShare) {
  const BuiltDeck d = plate_and(kLaw + element(21, 30, 120) + element(22, 10, -80) + element(23, 10, 55));
  EXPECT_EQ(d.problems(), "");
  const Shells& s = d.model.shells;
  ASSERT_EQ(s.size(), 5u);
  EXPECT_EQ(s.section[0], kNone);
  EXPECT_NE(s.section[2], kNone);
  EXPECT_EQ(s.section[2], s.section[3]);  // all layers are turned by 20 degrees
  EXPECT_NE(s.section[2], s.section[4]);
  const Section& section = d.model.sections[static_cast<std::size_t>(s.section[2])];
  ASSERT_EQ(section.plies.size(), 3u);
  EXPECT_EQ(section.plies[1].thickness, 0.5);
  EXPECT_NEAR(std::abs(section.plies[1].angle), M_PI / 2, 1e-12);
  EXPECT_EQ(section.plies[0].angle, 0);
  EXPECT_EQ(section.shear_factor, 0.8333);  // of the part
  EXPECT_NEAR(s.angle[2], M_PI / 6, 1e-12);
  EXPECT_NEAR(s.angle[3], M_PI / 18, 1e-12);
  EXPECT_TRUE(std::isnan(s.angle[0]));
  EXPECT_EQ(s.thickness[2], (std::array<double, 4>{1, 1, 1, 1}));
}

TEST(CompositeShells, MayHaveAnOffset) {
  const BuiltDeck d = plate_and(kLaw + element(21, 0, 90, "0.25"));
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.shells.offset[2], 0.25);
  EXPECT_EQ(d.model.shells.offset[0], 0.0);
  EXPECT_TRUE(d.model.parts[0].own_offsets);
}

TEST(CompositeShells, WhatIsWrong) {
  const auto with = [](const std::string& layers, const std::string& first = "21,1,1,2,5,4\n") {
    return plate_and(kLaw + "*ELEMENT_SHELL_COMPOSITE\n" + first + layers);
  };
  EXPECT_TRUE(with("7,-1.0,0.0\n").reported("the thickness -1 of a layer must be positive"));
  EXPECT_TRUE(with("8,1.0,0.0\n").reported("CR-D302"));
  EXPECT_TRUE(with("7,1.0,0.0\n", "21,9,1,2,5,4\n").reported("CR-D302"));
  EXPECT_TRUE(with("7,1.0,0.0\n", "11,1,1,2,5,4\n").reported("*ELEMENT_SHELL_COMPOSITE 11 is defined twice"));
  EXPECT_TRUE(with("7,1.0,0.0\n", "21,1,1,2,2,1\n").reported("make no triangle or quadrilateral"));
}

}  // namespace
}  // namespace crumple::model
