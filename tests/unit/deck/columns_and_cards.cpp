// What a comma, a note or a missing card makes of a line, and which cards belong to what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

Deck read_builtin(const std::string& text, const ReadOptions& options = {}) {
  const DeckFiles files;
  return read_deck(files.write("deck.k", text), options, builtin_schema());
}

/// The only record of a keyword.
Record only(const Deck& deck, const std::string& keyword) { return deck.all(keyword).at(0).records().at(0); }

const std::string kSteel = "         1  7.85E-06     210.0       0.3";

TEST(Columns, CommasBehindTheLastFieldAreNotes) {
  const std::string far(50, ' ');
  for (const std::string& note : {far + "steel, cold rolled", std::string("   steel, cold rolled"),
                                  std::string("\xC3\xA4,\xC3\xB6"), std::string("\tnote, too")}) {
    const Deck deck = read_text("*MAT_003\n" + kSteel + "      0.25       1.0       0.0" + note + "\n0.0\n");
    const Record r = only(deck, "MAT_PLASTIC_KINEMATIC");
    EXPECT_EQ(r.integer("MID"), 1) << note;
    EXPECT_EQ(r.real("SIGY"), 0.25) << note << all_problems(deck);
    EXPECT_FALSE(deck.has_errors()) << all_problems(deck);
    bool told = false;
    for (const std::string& id : ids(deck)) told = told || id == "CR-D111";
    EXPECT_TRUE(told) << note;
  }
}

TEST(Columns, CommasWithinTheCardStillSeparate) {
  const Deck deck = read_text("*MAT_003\n1, 7.85E-06, 210.0,0.3,                            0.25,\n0.0\n");
  EXPECT_EQ(only(deck, "MAT_PLASTIC_KINEMATIC").real("SIGY"), 0.25);
}

TEST(Columns, ANoteOfAShortCard) {
  const Deck deck = read_text("*CONTROL_TERMINATION\n      0.12        10                 ms, not s\n");
  EXPECT_EQ(only(deck, "CONTROL_TERMINATION").integer("ENDCYC"), 10);
  EXPECT_EQ(ids(deck), Ids{"CR-D111"}) << all_problems(deck);
}

TEST(Columns, NotesOfBulkRows) {
  const Deck deck = read_text(
      "*NODE\n       4             1.5             2.5             3.5       7       7   front, left\n"
      "*ELEMENT_SHELL\n       1       2       3       4       5       6                   old, thin\n");
  ASSERT_EQ(deck.bulk("NODE").size(), 1u);
  EXPECT_EQ(deck.bulk("NODE").reals[2][0], 3.5);
  EXPECT_EQ(deck.bulk("NODE").integers[2][0], 7);
  EXPECT_EQ(deck.bulk("ELEMENT_SHELL").integers[5][0], 6);
  EXPECT_EQ(ids(deck), (Ids{"CR-D111", "CR-D111"})) << all_problems(deck);
}

TEST(Columns, NotesInLongFormat) {
  const auto wide = [](const std::string& text) { return std::string(20 - text.size(), ' ') + text; };
  const std::string row =
      wide("1") + wide("7.85E-06") + wide("210.0") + wide("0.3") + wide("0.25") + wide("1.0") + wide("0.0");
  const Deck deck =
      read_text("*KEYWORD LONG=Y\n*MAT_003\n" + row + std::string(25, ' ') + "steel, soft\n0.0\n");
  EXPECT_EQ(only(deck, "MAT_PLASTIC_KINEMATIC").real("SIGY"), 0.25) << all_problems(deck);
  // A comma at column 100 of eight fields of 20 columns does separate.
  const Deck free = read_text("*KEYWORD LONG=Y\n*MAT_003\n1" + std::string(98, ' ') + ",7.85E-06\n0.0\n");
  EXPECT_EQ(only(free, "MAT_PLASTIC_KINEMATIC").real("RO"), 7.85e-6);
}

TEST(Columns, NotesOfParameters) {
  const std::string definition = "R     tEnd      0.12";
  const Deck deck = read_text("*PARAMETER\n" + definition + std::string(80 - definition.size(), ' ') +
                              "  end, in ms\n*CONTROL_TERMINATION\n&tend\n");
  EXPECT_EQ(only(deck, "CONTROL_TERMINATION").real("ENDTIM"), 0.12) << all_problems(deck);
}

TEST(Columns, NotesDoNotMakeAFileWide) {
  std::string text = "*KEYWORD LONG=S\n*CONTROL_TERMINATION\n      0.25        10" + std::string(70, ' ') +
                     "until it, the box, stops\n";
  EXPECT_EQ(only(read_text(text), "CONTROL_TERMINATION").integer("ENDCYC"), 10);
}

TEST(Columns, TitlesMayHoldCommas) {
  const Deck deck = read_text("*PART\nrail, left, " + std::string(80, 'x') + ", outer\n1,2,3\n");
  EXPECT_EQ(only(deck, "PART").integer("SECID"), 2);
  EXPECT_NE(only(deck, "PART").title().find(", outer"), std::string::npos);
}

/// What was found in two sections, of which the first asks for what is refused.
void expect_second(const Deck& deck, const std::string& keyword, const std::string& field, double value) {
  const auto records = deck.all(keyword).at(0).records();
  ASSERT_EQ(records.size(), 2u) << all_problems(deck);
  EXPECT_EQ(records[1].integer("SECID"), 2);
  EXPECT_EQ(records[1].real(field), value);
}

TEST(CardsOfWhatIsRefused, AnglesOfLayers) {
  for (const std::string nip : {"2", "9", "0", ""}) {
    const std::string more = nip == "9" ? "90.0\n" : "";
    const Deck deck =
        read_builtin("*SECTION_SHELL_TITLE\nlayered\n1,2,1.0," + nip + ",1.0,0.0,1\n0.7,0.7,0.7,0.7\n" +
                     "0.0,90.0\n" + more + "plain\n2,2,1.0,2\n1.1,1.1,1.1,1.1\n");
    expect_second(deck, "SECTION_SHELL", "T1", 1.1);
    EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  }
}

TEST(CardsOfWhatIsRefused, UserElements) {
  expect_second(
      read_builtin("*SECTION_SHELL\n1,101\n1.,1.,1.,1.\n2,0,0,0,0,9\n0.,0.,1.\n0.,0.,1.\n1,2,3,4,5,6,7,8\n9\n"
                   "2,2\n1.1\n"),
      "SECTION_SHELL", "T1", 1.1);
  expect_second(read_builtin("*SECTION_SOLID\n1,105\n1,0,0,0,3\n0.,0.,0.,1.\n1,2,3\n2,1\n"), "SECTION_SOLID",
                "ELFORM", 1.0);
}

TEST(CardsOfWhatIsRefused, FormsOfBeams) {
  for (const char* const form : {"7", "8", "10", "14"}) {
    const std::string elbow = std::string(form) == "14" ? "1.0,0\n" : "";
    const Deck deck = read_builtin(std::string("*SECTION_BEAM\n1,") + form + "\n1.,1.,0.5,0.5\n" + elbow +
                                   "2,3\n7.0,0.,0.\n");
    expect_second(deck, "SECTION_BEAM", "A", 7.0);
    EXPECT_EQ(ids(deck), Ids{}) << form << all_problems(deck);
  }
}

TEST(CardsOfWhatIsRefused, SegmentsOfEightNodes) {
  const Deck deck = read_builtin("*LOAD_SEGMENT\n1,1.,0.,1,2,3,4,5\n6,7,8\n2,1.,0.,9,10,11,12\n");
  const auto records = deck.all("LOAD_SEGMENT").at(0).records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].integer("N1"), 9);
  EXPECT_EQ(ids(deck), Ids{"CR-D203"}) << all_problems(deck);
}

TEST(CardsOfWhatIsRefused, OthersSayOneThing) {
  for (const char* const text :
       {"*CONTROL_DYNAMIC_RELAXATION\n,,,,,,,3\n17\n", "*CONTROL_DYNAMIC_RELAXATION\n,,,,,,,2\n",
        "*MAT_ADD_EROSION\n1\n0.\n2\n0,2\n", "*MAT_ADD_EROSION\n1\n0.\n-2\n0,1\n1,2\n0,1\n1,2\n",
        "*AIRBAG_SIMPLE_PRESSURE_VOLUME\n1,0,5\n1,1,1\n1,1,1\n1\n0.1,0.2\n",
        "*AIRBAG_SIMPLE_PRESSURE_VOLUME\n1,0,-5\n6\n1,2,3,4,5\n6\n0.1,0.2\n",
        "*PART_FIELD\nheading\n1,1,1\n4\n", "*PART_REPOSITION\nheading\n1,1,1\n3\n"}) {
    const Deck deck = read_builtin(text);
    EXPECT_EQ(ids(deck), Ids{"CR-D203"}) << text << all_problems(deck);
  }
  EXPECT_EQ(ids(read_builtin("*MAT_ELASTIC\n1,1.,-2.,0.3\n3,0,5\n")), Ids{});  // the model refuses E < 0
}

TEST(CardsOfWhatIsRefused, ANumberOfCardsThatCannotBeDoesNoHarm) {
  const Deck deck = read_builtin("*SECTION_SHELL\n1,101\n1.,1.,1.,1.\n99999999,0,0,0,0,-7\n");
  EXPECT_EQ(deck.all("SECTION_SHELL").at(0).records().size(), 1u);
}

TEST(HarmlessForms, ACardWithoutEffectMayBeMissing) {
  for (const char* const name : {"CYLINDER_ID_DISPLAY", "CYLINDER_DISPLAY_ID"}) {
    const Deck deck =
        read_builtin(std::string("*RIGIDWALL_GEOMETRIC_") + name + "\n5,pole\n0\n0,0,0,0,0,1\n1.0,0.0\n");
    EXPECT_EQ(only(deck, "RIGIDWALL_GEOMETRIC_CYLINDER").real("RADCYL"), 1.0);
    EXPECT_EQ(ids(deck), Ids{"CR-D112"}) << all_problems(deck);
  }
  // One that says something may not.
  EXPECT_EQ(ids(read_builtin("*RIGIDWALL_GEOMETRIC_SPHERE_MOTION\n0\n0,0,0\n1.0\n")), Ids{"CR-D105"});
  EXPECT_EQ(ids(read_builtin("*PART_PRINT\nheading\n1,1,1\n")), Ids{"CR-D112"});
}

TEST(HarmlessForms, PartTitleIsPart) {
  const Deck deck =
      read_builtin("*PART_TITLE\nplate\n1,2,3\nrail\n4,5,6\n*PART_INERTIA_TITLE\nbox\n7,8,9\n1\n1\n0\n");
  EXPECT_EQ(deck.all("PART").at(0).records().at(1).title(), "rail");
  EXPECT_EQ(deck.all("PART").at(1).records().at(0).integer("PID"), 7);
  EXPECT_FALSE(deck.has_errors()) << all_problems(deck);
}

TEST(HarmlessForms, AnIncludeWhoseNamesAreCommentsIsTold) {
  const Deck deck = read_builtin(
      "*INCLUDE\n$ part.k\n*INCLUDE_PATH\n*INCLUDE_TRANSFORM\n$ part.k\n$ 1\n*COMMENT_NOECHO\nx\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D004", "CR-D004", "CR-D004"})) << all_problems(deck);
  EXPECT_FALSE(deck.has_errors());
}

TEST(HarmlessForms, UnusedDefinitionsAreWarnings) {
  const Deck deck = read_builtin(
      "*SENSOR_DEFINE_ANGLE\n1\n*SENSOR_DEFINE_ELEMENT_SET\n2\n*SENSOR_DEFINE_FUNCTION_UPDATE\n3\n"
      "*DEFINE_CONTACT_VOLUME\n1\n*DEFINE_FILTER\n1\n");
  EXPECT_EQ(ids(deck), (Ids(5, "CR-D103"))) << all_problems(deck);
  EXPECT_TRUE(read_builtin("*SENSOR_DEFINE_NODE_UPDATE\n1\n").has_errors());
  EXPECT_TRUE(read_builtin("*SENSOR_SWITCH_SHELL_TO_VENT\n1\n").has_errors());
}

TEST(HarmlessForms, BulkViscosityOfShellsAndBeamsIsAWarning) {
  for (const char* const type : {"-1", "-2", "1,1", "1,2"})
    EXPECT_EQ(ids(read_builtin(std::string("*CONTROL_BULK_VISCOSITY\n1.5,0.06,") + type + "\n")),
              Ids{"CR-D202"});
}

}  // namespace
}  // namespace crumple::deck
