// Initial stresses and strains and the request for dynain: what is read, and what is refused. One rank.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "springback/initial_state.hpp"
#include "springback/request.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::model {
namespace {

using springback::InitialStrain;
using springback::InitialStress;
using springback::Request;

/// Five Gauss points of shell 11, the lowest last; xx is 10 T, the rest of each point counts on.
std::string five_points(const std::string& id = "11", const std::string& keyword = "SHELL") {
  std::string text = "*INITIAL_STRESS_" + keyword + "\n" + id + ",1,5\n";
  for (const char* const t : {".9061798", ".5384693", "0.", "-.5384693", "-.9061798"})
    text += std::string(t) + "," + t + "0,2.,0.,3.,4.,5.,6.e-3\n";
  return text;
}

TEST(InitialStresses, PointsOfShellsGoToTheirHeights) {
  const BuiltDeck d = plate_and(five_points());
  EXPECT_EQ(d.problems(), "");
  const auto& list = d.model.features.of<InitialStress>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].kind, ElementKind::shell);
  EXPECT_EQ(d.model.shells.id[at(list[0].element)], 11);
  ASSERT_EQ(list[0].values.size(), 35u);
  EXPECT_DOUBLE_EQ(list[0].values[0], -0.90617980);
  EXPECT_DOUBLE_EQ(list[0].values[28], 0.90617980);
  for (const std::size_t p : {0u, 14u, 28u})
    for (std::size_t k = 1; k < 7; ++k)
      EXPECT_EQ(list[0].values[p + k], (std::array{0., 2., 0., 3., 4., 5., 6e-3}[k])) << p << " " << k;
}

TEST(InitialStresses, LargeFormatAndSets) {
  std::string text = "*SET_SHELL_LIST\n5\n11,12\n*INITIAL_STRESS_SHELL_SET\n5,1,5,0,0,1\n";
  for (const char* const t : {"-.9061798", "-.5384693", "0.", ".5384693", ".9061798"})
    text += std::string(t) + ",1.,2.,0.,3.\n4.,5.,6.e-3\n";
  const BuiltDeck d = plate_and(text);
  EXPECT_EQ(d.problems(), "");
  const auto& list = d.model.features.of<InitialStress>();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(d.model.shells.id[at(list[1].element)], 12);
  EXPECT_EQ(std::vector(list[1].values.begin() + 7, list[1].values.begin() + 14),
            (std::vector{1., 2., 0., 3., 4., 5., 6e-3}));
}

TEST(InitialStresses, LaterInputReplacesEarlier) {
  const BuiltDeck d = plate_and(five_points() + "*INITIAL_STRESS_SHELL\n11,1,5\n" +
                                "-.9061798,9.\n-.5384693,9.\n0.,9.\n.5384693,9.\n.9061798,9.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<InitialStress>().size(), 1u);
  EXPECT_EQ(d.model.features.of<InitialStress>()[0].values[0], 9.0);
}

TEST(InitialStresses, RefusesWhatDoesNotFit) {
  const auto said = [](const std::string& text) { return plate_and(text).problems(); };
  EXPECT_NE(said("*INITIAL_STRESS_SHELL\n11,1,2\n-.577,1.\n.577,1.\n")
                .find("part 1: NPLANE 1 and NTHICK 2 are given, its elements have 1 and 5; points are not"),
            std::string::npos);
  EXPECT_NE(said("*INITIAL_STRESS_SHELL\n11,1,5\n-1.,1.\n-.5,1.\n0.,1.\n.5,1.\n1.,1.\n").find("T of a point"),
            std::string::npos);
  EXPECT_NE(said("*INITIAL_STRESS_SHELL\n11,1,5\n0.,1.\n0.,1.\n0.,1.\n0.,1.\n0.,1.\n").find("T of a point"),
            std::string::npos);
  EXPECT_NE(said("*INITIAL_STRESS_SHELL\n77,1,5\n0.\n0.\n0.\n0.\n0.\n").find("shell 77 does not exist"),
            std::string::npos);
  EXPECT_NE(said(five_points("5", "SHELL_SET")).find("shell set 5 does not exist"), std::string::npos);
  const std::string with_history =
      "*INITIAL_STRESS_SHELL\n11,1,5,1\n-.9061798\n{0}\n-.5384693\n0.\n0.\n0.\n.5384693\n0.\n.9061798\n0.\n";
  EXPECT_EQ(said(fmt::format(fmt::runtime(with_history), "0.")), "");
  EXPECT_NE(said(fmt::format(fmt::runtime(with_history), "3."))
                .find("NHISV is 1, and *MAT_ELASTIC has 0 history variables"),
            std::string::npos);
  EXPECT_NE(
      said("*INITIAL_STRESS_SHELL\n11,1,5,0,6\n0.\n0.\n0.\n0.\n0.\n0.\n0.\n0.\n0.\n0.\n").find("tensors"),
      std::string::npos);
}

TEST(InitialStresses, SolidsHaveTheirPointsInOrder) {
  const std::string text = R"(*KEYWORD
*NODE
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*ELEMENT_SOLID
4,1,1,2,3,4,5,6,7,8
*PART
block
1,1,1
*SECTION_SOLID
1,1
*MAT_PLASTIC_KINEMATIC
1,2.0,100.0,0.3,1.0,10.0,{}
0,0,0
*CONTROL_TERMINATION
1.0
*INITIAL_STRESS_SOLID
4,1,{},1
1,2,3,4,5
6,7,8,9,10
11,12,13
*END
)";
  const BuiltDeck kinematic = build(fmt::format(fmt::runtime(text), 0.5, 6));
  EXPECT_EQ(kinematic.problems(), "");
  const auto& list = kinematic.model.features.of<InitialStress>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].values, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  EXPECT_TRUE(build(fmt::format(fmt::runtime(text), 1.0, 6)).reported("NHISV is 6"));
}

TEST(InitialStrains, AreExtrapolatedToTheSurfaces) {
  const std::string strains = "*INITIAL_STRAIN_SHELL\n11,1,2\n.1,0.,0.,0.,0.,0.,-.5\n.3,0.,0.,.4,0.,0.,.5\n";
  const BuiltDeck d = plate_and("*DATABASE_EXTENT_BINARY\n0,0,3,1\n" + strains);
  EXPECT_EQ(d.problems(), "");
  const auto& list = d.model.features.of<InitialStrain>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].values[0], 0.0, 1e-15);
  EXPECT_NEAR(list[0].values[6], 0.4, 1e-15);
  EXPECT_NEAR(list[0].values[3], -0.2, 1e-15);
  EXPECT_NEAR(list[0].values[9], 0.6, 1e-15);
  EXPECT_TRUE(plate_and(strains).reported("warning CR-D330: *INITIAL_STRAIN"));
}

TEST(Springback, RequestHasPartsNodesAndOptions) {
  const BuiltDeck d =
      plate_and("*SET_PART_LIST\n3\n1\n*INTERFACE_SPRINGBACK_LSDYNA\n3,4\nOPTCARD,0,0,0,1\n1,7,7\n6,4,2\n");
  EXPECT_EQ(d.problems(), "");
  const auto& list = d.model.features.of<Request>();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].parts, std::vector<LocalId>{0});
  EXPECT_EQ(list[0].history, 4);
  EXPECT_TRUE(list[0].all_nodes);
  ASSERT_EQ(list[0].held.size(), 2u);
  EXPECT_EQ(list[0].held[0].translations, 7);
  EXPECT_EQ(list[0].held[1].node, 6);
  EXPECT_EQ(list[0].held[1].translations, 3);
  EXPECT_EQ(list[0].held[1].rotations, 2);
}

TEST(Springback, RefusesOtherFilesAndUnknownNodes) {
  const std::string set = "*SET_PART_LIST\n3\n1\n*INTERFACE_SPRINGBACK_LSDYNA\n";
  EXPECT_TRUE(plate_and(set + "3,0,3\n").reported("FTYPE"));
  EXPECT_TRUE(plate_and(set + "3\nOPTCARD,0,0,1\n").reported("FSPLIT"));
  EXPECT_TRUE(plate_and(set + "3\n99,7\n").reported("node 99 does not exist"));
  EXPECT_TRUE(plate_and(set + "3\n1,8\n").reported("8 is no code"));
  EXPECT_TRUE(plate_and(set + "8\n").reported("part set 8 does not exist"));
  EXPECT_TRUE(plate_and(set + "3\n" + "*INTERFACE_SPRINGBACK_LSDYNA\n3\n").reported("given twice"));
}

}  // namespace
}  // namespace crumple::model
