// *INCLUDE_TRANSFORM: ids shifted, coordinates moved, nothing half-transformed without a word.
#include "deck/transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "deck/coverage.hpp"
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
  EXPECT_THROW(evaluate_transformation({TransformRow{"TRANSL2ND", {1, 2, 3}}}), Error);
}

TEST(Affine, MirrorsAtAPlane) {
  const Affine m = evaluate_transformation({TransformRow{"MIRROR", {2, 0, 0, 3, 0, 0}}});
  expect_near(m({5, 1, 2}), {-1, 1, 2});
  EXPECT_TRUE(m.reflects());
  const Affine oblique = evaluate_transformation({TransformRow{"MIRROR", {0, 0, 0, 1, 1, 0}}});
  expect_near(oblique({1, 0, 5}), {0, -1, 5});
  EXPECT_TRUE(evaluate_transformation({TransformRow{"SCALE", {-1, 1, 1}}}).reflects());
  EXPECT_FALSE(compose(m, oblique).reflects());
  EXPECT_THROW(evaluate_transformation({TransformRow{"MIRROR", {2, 0, 0, 3, 0, 0, 1}}}), Error);
}

TEST(Affine, SixPointsPlaceAModel) {
  std::vector<TransformRow> rows{{"POINT", {1, 1, 1, 0}}, {"POINT", {2, 3, 1, 0}}, {"POINT", {3, 1, 5, 0}},
                                 {"POINT", {4, 0, 0, 9}}, {"POINT", {5, 0, 7, 9}}, {"POINT", {6, 0, 1, 10}}};
  rows.push_back({"POS6P", {1, 2, 3, 4, 5, 6}});
  const Affine map = evaluate_transformation(rows);
  expect_near(map({1, 1, 0}), {0, 0, 9});  // the first point
  expect_near(map({3, 1, 0}), {0, 2, 9});  // x becomes y
  expect_near(map({1, 2, 0}), {0, 0, 10});
  EXPECT_NEAR(map.determinant(), 1.0, 1e-14);
  rows.back().a[5] = 5;
  EXPECT_THROW(evaluate_transformation(rows), Error);
  rows.back().a[5] = 7;
  EXPECT_THROW(evaluate_transformation(rows), Error);
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

TEST(IncludeTransform, OptionsOfGeneralSetsSayWhatIsShifted) {
  const DeckFiles files;
  files.write("a.k",
              "*SET_NODE_GENERAL\n1\nNODE,1,2\ndpart,3\nSET_SHELL,4\nBOX,5\nALL\n*SET_SEGMENT_GENERAL\n2\n"
              "SEG,1,2,3,4,9\nPART,6,0,0,9\n*SET_SHELL_GENERAL\n3\nGELEM,7,8\n*DEFINE_BOX\n5,0,1,0,1,0,1\n");
  const std::string include = "*INCLUDE_TRANSFORM\na.k\n1000,2000,3000,4000,5000,6000,7000\n8000\n\n";
  const Deck deck = read_deck(files.write("root.k", include + "\n"));
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  using Row = std::vector<GlobalId>;
  const auto row = [&](const char* name, std::size_t r) {
    const Record record = deck.all(name).at(0).records().at(0);
    Row found;
    for (std::size_t c = 1; c < 6; ++c) found.push_back(record.integer(r, c));
    return found;
  };
  EXPECT_EQ(row("SET_NODE_GENERAL", 0), (Row{1001, 1002, 0, 0, 0}));
  EXPECT_EQ(row("SET_NODE_GENERAL", 1), (Row{3003, 0, 0, 0, 0}));
  EXPECT_EQ(row("SET_NODE_GENERAL", 2), (Row{5004, 0, 0, 0, 0}));
  EXPECT_EQ(row("SET_NODE_GENERAL", 3), (Row{7005, 0, 0, 0, 0}));
  EXPECT_EQ(row("SET_SEGMENT_GENERAL", 0), (Row{1001, 1002, 1003, 1004, 9})) << "attributes are no ids";
  EXPECT_EQ(row("SET_SEGMENT_GENERAL", 1), (Row{3006, 0, 0, 9, 0}));
  EXPECT_EQ(row("SET_SHELL_GENERAL", 0), (Row{2007, 2008, 0, 0, 0}));
  EXPECT_EQ(deck.all("SET_SHELL_GENERAL").at(0).records().at(0).integer("SID"), 5003);
  EXPECT_EQ(deck.all("DEFINE_BOX").at(0).records().at(0).integer("BOXID"), 7005);
  const Deck moved =
      read_deck(files.write("moved.k", "*DEFINE_TRANSFORMATION\n1\nTRANSL,1.\n" + include + "1\n"));
  EXPECT_EQ(ids(moved), Ids{"CR-D017"}) << all_problems(moved);
}

TEST(IncludeTransform, ArgumentsThatAnOptionHasNotAreTold) {
  Deck deck = read_text("*DEFINE_TRANSFORMATION\n5\nTRANSL,1.,2.,3.,4.\nPOINT,1,0.,0.,0.,9.\nSCALE,2.\n");
  report_unused(deck);
  EXPECT_EQ(ids(deck), (Ids{"CR-D201", "CR-D201"})) << all_problems(deck);
}

TEST(IncludeTransform, ThicknessesStayWithTheirNodes) {
  const DeckFiles files;
  files.write("half.k", "*ELEMENT_SHELL_THICKNESS\n1,1,1,2,3,4\n1.,2.,3.,4.\n2,1,5,6,7,7\n1.,2.,3.,3.\n");
  const Deck deck = read_deck(files.write(
      "root.k", "*DEFINE_TRANSFORMATION\n1\nSCALE,-1.,1.,1.\n*INCLUDE_TRANSFORM\nhalf.k\n\n\n\n1\n"));
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  const Bulk& bulk = deck.bulk("ELEMENT_SHELL_THICKNESS");
  std::vector<double> quad, triangle;
  for (std::size_t c = 0; c < 4; ++c) quad.push_back(bulk.reals[c][0]), triangle.push_back(bulk.reals[c][1]);
  EXPECT_EQ(quad, (std::vector<double>{1, 4, 3, 2}));
  EXPECT_EQ((std::vector<double>(triangle.begin(), triangle.begin() + 3)), (std::vector<double>{1, 3, 2}));
}

TEST(IncludeTransform, MirroredElementsAreTurnedOver) {
  const DeckFiles files;
  files.write("half.k",
              "*ELEMENT_SHELL\n1,1,1,2,3,4\n2,1,5,6,7,7\n3,1,5,6,7\n*ELEMENT_SOLID\n1,1,1,2,3,4,5,6,7,8\n"
              "2,1,1,2,3,4,4,4,4,4\n3,1,1,2,3,4,5,5,6,6\n4,1\n1,2,3,4,5,6,7,8,9,10\n");
  const Deck deck = read_deck(files.write(
      "root.k", "*DEFINE_TRANSFORMATION\n1\nSCALE,-1.,1.,1.\n*INCLUDE_TRANSFORM\nhalf.k\n\n\n\n1\n"));
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  const auto row = [&](const char* name, std::size_t i) {
    std::vector<GlobalId> nodes;
    const Bulk& bulk = deck.bulk(name);
    const bool ten = std::string(name) == "ELEMENT_SOLID" && bulk.integers[11][i] != 0;
    for (std::size_t c = 2; c < (std::string(name) == "ELEMENT_SHELL" ? 6u : ten ? 12u : 10u); ++c)
      nodes.push_back(bulk.integers[c][i]);
    return nodes;
  };
  using Nodes = std::vector<GlobalId>;
  EXPECT_EQ(row("ELEMENT_SHELL", 0), (Nodes{1, 4, 3, 2}));
  EXPECT_EQ(row("ELEMENT_SHELL", 1), (Nodes{5, 7, 6, 6}));
  EXPECT_EQ(row("ELEMENT_SHELL", 2), (Nodes{5, 7, 6, 6}));
  EXPECT_EQ(row("ELEMENT_SOLID", 0), (Nodes{2, 1, 4, 3, 6, 5, 8, 7}));
  EXPECT_EQ(row("ELEMENT_SOLID", 1), (Nodes{2, 1, 3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(row("ELEMENT_SOLID", 2), (Nodes{2, 1, 4, 3, 5, 5, 6, 6}));
  EXPECT_EQ(row("ELEMENT_SOLID", 3), (Nodes{2, 1, 3, 4, 5, 7, 6, 9, 8, 10}));
}

TEST(IncludeTransform, WhatCannotBeTransformedIsAnError) {
  const DeckFiles files;
  files.write("a.k", "*CONTROL_TERMINATION\n1.0\n*SECTION_SHELL\n1\n1.0\n2\n1.0\n");
  const Deck deck =
      read_deck(files.write("root.k",
                            "*INCLUDE_TRANSFORM\na.k\n10\n\n0.001\n\n*INCLUDE_TRANSFORM\na.k\n\n\n\n9\n*"
                            "INCLUDE_TRANSFORM\nnone.k\n\n\n\n\n"
                            "*DEFINE_TRANSFORMATION\n1\nTRANSL2ND,1.\n*INCLUDE_TRANSFORM\na.k\n\n\n\n\n"),
                {}, schema());
  EXPECT_EQ(ids(deck), (Ids{"CR-D203", "CR-D016", "CR-D002", "CR-D016", "CR-D017", "CR-D017"}))
      << all_problems(deck);
}

}  // namespace
}  // namespace crumple::deck
