// *NODE_TRANSFORM, *PART_MOVE, *NODE_MERGE_SET: where nodes are, which are one, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

Vec3 place_of(const BuiltDeck& d, GlobalId id) {
  for (std::size_t n = 0; n < d.model.nodes.size(); ++n)
    if (d.model.nodes.id[n] == id) return d.model.nodes.x[n];
  ADD_FAILURE() << "no node " << id;
  return {};
}

void expect_at(const BuiltDeck& d, GlobalId id, const Vec3& x) {
  EXPECT_LT(norm(place_of(d, id) - x), 1e-12) << "node " << id;
}

/// A second plate, part 2, beside the first one: its nodes 7 and 8 are at those of nodes 3 and 6, with a gap.
std::string second_plate(double gap) {
  return fmt::format(
      "*NODE\n7,{0},0,0\n8,{0},1,0\n9,{1},0,0\n10,{1},1,0\n*ELEMENT_SHELL\n21,2,7,9,10,8\n"
      "*PART\nmore\n2,1,1\n",
      2 + gap, 3 + gap);
}

const std::string kTurnAndShift = "*DEFINE_TRANSFORMATION\n5\nROTATE,0,0,1,0,0,0,90\nTRANSL,10,0,0\n";

TEST(NodeChanges, NodesOfASetAreTransformed) {
  const BuiltDeck d = plate_and("*NODE_TRANSFORM\n5,3\n*SET_NODE_LIST\n3\n3,6\n" + kTurnAndShift);
  EXPECT_EQ(d.problems(), "");
  expect_at(d, 3, {10, 2, 0});
  expect_at(d, 6, {9, 2, 0});
  expect_at(d, 2, {1, 0, 0});
}

TEST(NodeChanges, ImmediateTransformationsAreFirst) {
  // Shifted by 10, then turned; in the order of the deck it would be the other way round.
  const BuiltDeck d = plate_and(
      "*SET_NODE_LIST\n3\n3\n*DEFINE_TRANSFORMATION\n1\nROTATE,0,0,1,0,0,0,90\n"
      "*DEFINE_TRANSFORMATION\n2\nTRANSL,10,0,0\n*NODE_TRANSFORM\n1,3,0\n*NODE_TRANSFORM\n2,3,1\n");
  EXPECT_EQ(d.problems(), "");
  expect_at(d, 3, {0, 12, 0});
}

TEST(NodeChanges, OtherKeywordsSeeTheNewPlaces) {
  const BuiltDeck d = plate_and("*NODE_TRANSFORM\n5,3\n*SET_NODE_LIST\n3\n3,6\n" + kTurnAndShift +
                                "*DEFINE_BOX\n1,8.5,11,1,3,-1,1\n*SET_NODE_GENERAL\n4\nBOX,1\n"
                                "*DEFINE_COORDINATE_NODES\n6,1,3,4\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(ids(d.model, d.nodes(4).nodes), (std::vector<GlobalId>{3, 6}));
  EXPECT_NEAR(d.model.systems[0].axis[0].x, 10 / std::sqrt(104.0), 1e-12);
}

TEST(NodeChanges, WhatATransformationNamesMustExist) {
  EXPECT_TRUE(plate_and("*NODE_TRANSFORM\n5,3\n*SET_NODE_LIST\n3\n3\n")
                  .reported("*NODE_TRANSFORM 5: there is no *DEFINE_TRANSFORMATION of this number"));
  EXPECT_TRUE(plate_and("*NODE_TRANSFORM\n5,3\n" + kTurnAndShift)
                  .reported("*NODE_TRANSFORM 5: node set 3 does not exist"));
  EXPECT_TRUE(plate_and("*NODE_TRANSFORM\n5,3,2\n*SET_NODE_LIST\n3\n3\n" + kTurnAndShift).reported("IMMED"));
}

TEST(NodeChanges, ElementsThatTheyInvertAreReported) {
  // The second shell becomes a line.
  const BuiltDeck d =
      plate_and("*NODE_TRANSFORM\n1,3\n*SET_NODE_LIST\n3\n3,6\n*DEFINE_TRANSFORMATION\n1\nTRANSL,-1,0,0\n");
  EXPECT_TRUE(d.reported("CR-E103: *ELEMENT_SHELL 12: the shell has no area")) << d.problems();
}

TEST(NodeChanges, PartsMoveInTheirFrame) {
  const BuiltDeck d =
      plate_and(second_plate(5) + "*PART_MOVE\n2,1.0,0.0,0.5,8\n*DEFINE_COORDINATE_VECTOR\n8,0,1,0,-1,0,0\n");
  EXPECT_EQ(d.problems(), "");
  expect_at(d, 7, {7, 1, 0.5});
  expect_at(d, 10, {8, 2, 0.5});
  expect_at(d, 6, {2, 1, 0});
}

TEST(NodeChanges, PartsOfASetMoveOnce) {
  const BuiltDeck d = plate_and(
      "*PART\nmore\n2,1,1\n*ELEMENT_SHELL\n21,2,3,2,5,6\n*SET_PART_LIST\n4\n1,2\n"
      "*PART_MOVE\n       4             1.0             0.0             0.0       0       1\n");
  EXPECT_EQ(d.problems(), "");
  expect_at(d, 3, {3, 0, 0});
  expect_at(d, 1, {1, 0, 0});
}

TEST(NodeChanges, MovesWhoseOrderIsNotKnownAreRefused) {
  EXPECT_TRUE(plate_and("*PART\nmore\n2,1,1\n*ELEMENT_SHELL\n21,2,3,2,5,6\n*PART_MOVE\n1,1.0\n2,1.0\n")
                  .reported("error CR-D320: *PART_MOVE 2: node 2 is moved by another *PART_MOVE"));
  EXPECT_TRUE(
      plate_and("*PART_MOVE\n1,1.0\n*NODE_TRANSFORM\n5,3\n*SET_NODE_LIST\n3\n3\n" + kTurnAndShift)
          .reported("error CR-D320: *PART_MOVE 1: node 3 is moved by another keyword, *NODE_TRANSFORM"));
}

TEST(NodeChanges, WhatCannotMoveIsReported) {
  EXPECT_TRUE(plate_and("*PART_MOVE\n7,1.0\n").reported("*PART_MOVE 7: part 7 does not exist"));
  EXPECT_TRUE(plate_and("*PART_MOVE\n1,1.0,0,0,0,1\n").reported("*PART_MOVE 1: part set 1 does not exist"));
  EXPECT_TRUE(plate_and("*PART_MOVE\n1,1.0,0,0,9\n").reported("coordinate system 9 does not exist"));
  EXPECT_TRUE(plate_and("*PART\nempty\n2,1,1\n*PART_MOVE\n2,1.0\n").reported("neither shells nor solids"));
  EXPECT_TRUE(
      plate_and("*PART_INERTIA\nbody\n2,1,2\n0,0,0,1\n1,0,0,1,0,1\n0,0,0\n*MAT_RIGID\n2,1.0,1.0,0.3\n\n\n"
                "*NODE\n7,5,0,0\n8,6,0,0\n9,5,1,0\n*ELEMENT_SHELL\n21,2,7,8,9,9\n*PART_MOVE\n2,1.0\n")
          .reported("*PART_MOVE 2: part 2 has _INERTIA"));
}

TEST(NodeChanges, NodesWithinTheDistanceAreOne) {
  const BuiltDeck d = plate_and(second_plate(1e-4) +
                                "*NODE_MERGE_TOLERANCE\n1e-3\n*NODE_MERGE_SET\n4\n*SET_NODE_LIST\n4\n"
                                "8,3,7,6,1\n*SET_NODE_LIST_GENERATE\n5\n7,9\n"
                                "*BOUNDARY_SPC_NODE\n8,0,1,0,0,0,0,0\n");
  EXPECT_TRUE(
      d.reported("warning CR-D338: *NODE_MERGE_SET: 2 nodes are one with others, the first: 7 with 3"))
      << d.problems();
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
  ASSERT_EQ(d.model.nodes.size(), 8u);
  const auto& n = d.model.shells.nodes[2];
  EXPECT_EQ(ids(d.model, {n.begin(), n.end()}), (std::vector<GlobalId>{3, 9, 10, 6}));
  EXPECT_EQ(ids(d.model, d.nodes(5).nodes), (std::vector<GlobalId>{3, 6, 9}));
  ASSERT_EQ(d.model.constraints.size(), 1u);
  EXPECT_EQ(d.model.nodes.id[static_cast<std::size_t>(d.model.constraints[0].node)], 6);
  expect_at(d, 3, {2, 0, 0});
}

TEST(NodeChanges, ConstraintsOfMergedNodesStay) {
  const BuiltDeck d =
      build(std::string(kPlate) + "*NODE\n7,2,0,0,2,0\n*ELEMENT_MASS\n1,7,1.5\n" +
            "*NODE_MERGE_TOLERANCE\n1e-3\n*NODE_MERGE_SET\n4\n*SET_NODE_LIST\n4\n3,7\n*END\n");
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
  ASSERT_EQ(d.model.constraints.size(), 1u);
  EXPECT_EQ(d.model.constraints[0].node, 2);
  EXPECT_EQ(d.model.masses.node, std::vector<LocalId>{2});
}

TEST(NodeChanges, MergesAreAfterMoves) {
  const BuiltDeck d = plate_and(second_plate(5) +
                                "*PART_MOVE\n2,-5.0\n*NODE_MERGE_TOLERANCE\n1e-6\n*NODE_MERGE_SET\n4\n"
                                "*SET_NODE_LIST_GENERATE\n4\n1,10\n");
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
  EXPECT_EQ(d.model.nodes.size(), 8u);
}

TEST(NodeChanges, MergesThatCannotBeAreReported) {
  const std::string set = "*NODE_MERGE_SET\n4\n*SET_NODE_LIST_GENERATE\n4\n1,6\n";
  EXPECT_TRUE(plate_and(set).reported("error CR-D320: *NODE_MERGE_SET without a tolerance"));
  EXPECT_TRUE(plate_and(set + "*NODE_MERGE_TOLERANCE\n1.0\n")
                  .reported("error CR-D310: *NODE_MERGE_SET: nodes 1 and 2 of shell 11 would be one"));
  EXPECT_TRUE(plate_and("*NODE_MERGE_TOLERANCE\n1.0\n").reported("there is no *NODE_MERGE_SET"));
  EXPECT_TRUE(plate_and("*NODE_MERGE_SET\n4\n*NODE_MERGE_TOLERANCE\n1.0\n")
                  .reported("*NODE_MERGE_SET: node set 4 does not exist"));
}

}  // namespace
}  // namespace crumple::model
