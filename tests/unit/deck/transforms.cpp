// *INCLUDE_TRANSFORM: ids shifted, coordinates moved, nothing half-transformed without a word.
#include "deck/transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}

TEST(Affine, RotationTurnsRightHandedAboutItsLine) {
  expect_near(rotation({0, 0, 2}, {0, 0, 0}, 90)({1, 0, 5}), {0, 1, 5});
  expect_near(rotation({1, 0, 0}, {7, 0, 0}, 90)({3, 1, 0}), {3, 0, 1});
  expect_near(rotation({0, 0, 1}, {1, 1, 0}, 180)({2, 1, 0}), {0, 1, 0});
  const Affine third = rotation({1, 1, 1}, {0, 0, 0}, 120);
  expect_near(third({1, 2, 3}), {3, 1, 2});
  EXPECT_NEAR(third.determinant(), 1.0, 1e-14);
}

TEST(Affine, RowsApplyFromTheFirstToTheLast) {
  const TransformRow scale{"SCALE", {2, 0, 1}}, turn{"ROTATE", {0, 0, 1, 0, 0, 0, 90}},
      move{"TRANSL", {10, 0, 0}};
  expect_near(evaluate_transformation({scale, turn, move})({1, 1, 1}), {9, 2, 1});
  expect_near(evaluate_transformation({move, turn, scale})({1, 1, 1}), {-2, 11, 1});
}

TEST(Affine, PointsMoveWithTheRowsAfterThem) {
  const TransformRow p{"POINT", {1, 1, 0, 0}}, q{"POINT", {2, 1, 0, 1}}, move{"TRANSL", {1, 0, 0}},
      turn{"ROTATE", {1, 2, 180}};
  expect_near(evaluate_transformation({p, q, move, turn})({2, 0, 0}), {1, 0, 0});
  EXPECT_THROW(evaluate_transformation({p, turn}), Error);
  EXPECT_THROW(evaluate_transformation({TransformRow{"MIRROR", {}}}), Error);
  EXPECT_THROW(evaluate_transformation({TransformRow{"SCALE", {-1, 1, 1}}}), Error);
}

std::string schema_with_references() {
  return R"json({"@references": {
    "NODE": {"node": ["NID"], "point": [["X","Y","Z"]]},
    "ELEMENT_SHELL": {"element": ["EID"], "part": ["PID"], "node": ["N1","N2","N3","N4"]},
    "PART": {"part": ["PID"], "material": ["MID"], "other": ["SECID"]},
    "SET_NODE_LIST": {"set": ["SID"], "node": ["N1","N2","N3","N4","N5","N6","N7","N8"]},
    "DEFINE_CURVE": {"curve": ["LCID"]},
    "CONTACT_SINGLE": {"set": [["SSID","MSID==0"]], "part": [["SSID","MSID==1"]]},
    "CONTACT_LIKE": "CONTACT_SINGLE"
  }})json";
}

const Schema& schema() {
  static const Schema schema(std::array<std::string, 2>{small_schema_text(), schema_with_references()});
  return schema;
}

TEST(IncludeTransform, ShiftsIdsAndMovesNodes) {
  const DeckFiles files;
  files.write("car.k",
              "*NODE\n       1             1.0             0.0             2.0\n       2\n*PART\ncar\n1,2,3\n"
              "*ELEMENT_SHELL\n       1       1       1       2       2       0\n*SET_NODE\n5\n1,-2,0\n"
              "*CONTACT_SINGLE\n4,0\n*CONTACT_LIKE\n4,1\n*DEFINE_CURVE\n6\n0.,1.\n*CONTROL_TERMINATION\n");
  const Deck deck = read_deck(
      files.write(
          "root.k",
          "*DEFINE_TRANSFORMATION\n77\nROTATE,0,0,1,0,0,0,90\nTRANSL,100.\n*INCLUDE_TRANSFORM\nca +\nr.k\n"
          "1000,2000,3000,4000,5000,6000,7000\n8000\n1.0,1.0\n77\n*NODE\n       1             1.0\n"),
      {}, schema());
  EXPECT_EQ(ids(deck), Ids{"CR-D107"}) << all_problems(deck);
  const Bulk& nodes = deck.bulk("NODE");
  EXPECT_EQ(nodes.integers[0], (std::vector<GlobalId>{1001, 1002, 1}));
  expect_near({nodes.reals[0][0], nodes.reals[1][0], nodes.reals[2][0]}, {100, 1, 2});
  EXPECT_EQ(nodes.reals[0][2], 1.0) << "the including file stays where it is";
  const Bulk& shells = deck.bulk("ELEMENT_SHELL");
  EXPECT_EQ(shells.integers[0][0], 2001);
  EXPECT_EQ(shells.integers[1][0], 3001);
  EXPECT_EQ(shells.integers[3][0], 1002);
  EXPECT_EQ(shells.integers[5][0], 0);
  const auto record = [&](const char* name) { return deck.all(name).at(0).records().at(0); };
  EXPECT_EQ(record("PART").integer("PID"), 3001);
  EXPECT_EQ(record("PART").integer("SECID"), 8002);
  EXPECT_EQ(record("PART").integer("MID"), 4003);
  EXPECT_EQ(record("SET_NODE_LIST").integer("SID"), 5005);
  EXPECT_EQ(record("SET_NODE_LIST").integer(0, 1), -1002);
  EXPECT_EQ(record("SET_NODE_LIST").integer(0, 2), 0);
  EXPECT_EQ(record("CONTACT_SINGLE").integer("SSID"), 5004);
  EXPECT_EQ(record("CONTACT_LIKE").integer("SSID"), 3004);
  EXPECT_EQ(record("DEFINE_CURVE").integer("LCID"), 6006);
}

TEST(IncludeTransform, NestedPlacementsAddUp) {
  const DeckFiles files;
  files.write("inner.k", "*NODE\n       1             1.0\n");
  files.write(
      "outer.k",
      "*DEFINE_TRANSFORMATION\n1\nTRANSL,1.\n*INCLUDE_TRANSFORM\ninner.k\n10\n\n\n1\n*NODE\n       2\n");
  const Deck deck = read_deck(
      files.write("root.k", "*DEFINE_TRANSFORMATION\n1\nSCALE,2.\n*INCLUDE_TRANSFORM\nouter.k\n100\n\n\n1\n"),
      {}, schema());
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  EXPECT_EQ(deck.bulk("NODE").integers[0], (std::vector<GlobalId>{111, 102}));
  EXPECT_EQ(deck.bulk("NODE").reals[0], (std::vector<double>{4.0, 0.0}));
}

TEST(IncludeTransform, WhatCannotBeTransformedIsAnError) {
  const DeckFiles files;
  files.write("a.k", "*CONTROL_TERMINATION\n1.0\n*SECTION_SHELL\n1\n1.0\n2\n1.0\n");
  const Deck deck =
      read_deck(files.write("root.k",
                            "*INCLUDE_TRANSFORM\na.k\n10\n\n0.001\n\n*INCLUDE_TRANSFORM\na.k\n\n\n\n9\n*"
                            "INCLUDE_TRANSFORM\nnone.k\n\n\n\n\n"
                            "*DEFINE_TRANSFORMATION\n1\nMIRROR,1.\n*INCLUDE_TRANSFORM\na.k\n\n\n\n\n"),
                {}, schema());
  EXPECT_EQ(ids(deck), (Ids{"CR-D203", "CR-D016", "CR-D002", "CR-D016", "CR-D017", "CR-D017"}))
      << all_problems(deck);
}

}  // namespace
}  // namespace crumple::deck
