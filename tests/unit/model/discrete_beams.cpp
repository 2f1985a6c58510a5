// Discrete beams as they are read: sections, nodes at one place, laws of their own.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "model/discrete_beam_sections.hpp"

namespace crumple::model {
namespace {

const std::string kBeam =
    "*ELEMENT_BEAM\n21,2,3,7\n*PART\nmount\n2,2,2\n*NODE\n7,2,0,0\n"
    "*DEFINE_COORDINATE_VECTOR\n5,0,1,0,-1,0,0\n";
const std::string kLaw = "*MAT_LINEAR_ELASTIC_DISCRETE_BEAM\n2,1.,10,20,30\n0,0,0\n";

std::string section(const std::string& scoor, const std::string& cards) {
  return "*SECTION_BEAM\n2,6,,,," + scoor + "\n" + cards + "\n";
}

TEST(DiscreteBeams, AreReadWithTheirSectionsAndMayHaveNoLength) {
  const BuiltDeck built = plate_and(kBeam + kLaw + section("-3", "0.5,2.,5,3.,0.1,0,1,0"));
  EXPECT_EQ(built.problems(), "");
  const auto& all = built.model.features.of<DiscreteBeamSection>();
  ASSERT_EQ(all.size(), 1u);
  const DiscreteBeamSection& s = all[0];
  EXPECT_EQ(built.model.sections[static_cast<std::size_t>(s.section)].id, 2);
  EXPECT_EQ(find_discrete_beam_section(built.model, s.section), &s);
  EXPECT_EQ(s.volume, 0.5);
  EXPECT_EQ(s.inertia, 2);
  EXPECT_EQ(s.cable_area, 3);
  EXPECT_EQ(s.offset, 0.1);
  EXPECT_EQ(s.scoor, -3);
  EXPECT_EQ(s.held, (std::array{false, true, false}));
  EXPECT_TRUE(s.has_axes);
  EXPECT_EQ(s.axes[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(s.axes[1], (Vec3{-1, 0, 0}));
}

TEST(DiscreteBeams, ReportWhatTheyDoNotHave) {
  const auto says = [](const std::string& rest, const std::string& id) {
    const BuiltDeck built = plate_and(kBeam + rest);
    EXPECT_TRUE(built.reported(id)) << rest << built.problems();
  };
  says(kLaw + section("4", "0.5,2."), "CR-D310");
  says(kLaw + section("0.5", "0.5,2."), "CR-D310");
  says(kLaw + section("0", "0.5,-2."), "CR-D310");
  says(kLaw + section("2", "0.5,2.,5,0,0,1"), "CR-D310");
  says(kLaw + section("0", "0.5,2.,6"), "CR-D304");
  says("*MAT_ELASTIC\n2,1.,1.,0.3\n" + section("0", "0.5,2."), "CR-D320");
  says(kLaw + "*SECTION_BEAM\n2,2\n1.,1.,1.,1.\n", "CR-D320");
}

}  // namespace
}  // namespace crumple::model
