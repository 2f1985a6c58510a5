// Every form in which decks write lines, fields and numbers.
#include <gtest/gtest.h>

#include "deck/coverage.hpp"
#include "deck/numbers.hpp"
#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

Record first(const Deck& deck, const std::string& keyword) {
  EXPECT_EQ(deck.all(keyword).size(), 1u) << keyword << "\n" << all_problems(deck);
  return deck.all(keyword).at(0).records().at(0);
}

TEST(Numbers, RealsInAllForms) {
  const std::vector<std::pair<std::string, double>> cases{
      {"1", 1},        {"-1.5", -1.5},   {"+2.5", 2.5},       {".5", .5},       {"5.", 5.},
      {"1.5e3", 1500}, {"1.5E+3", 1500}, {"1.5d-3", .0015},   {"1.5D+3", 1500}, {"1.5-3", .0015},
      {"1.5+3", 1500}, {"-2-2", -.02},   {"7.85-9", 7.85e-9}, {"1.e-400", 0.},  {"1.0q2", 100}};
  for (const auto& [text, expected] : cases) {
    double value = -99;
    EXPECT_TRUE(parse_real(text, value)) << text;
    EXPECT_DOUBLE_EQ(value, expected) << text;
  }
  for (const char* const text :
       {"abc", "1.2.3", "--1", "1e", "1 2", "nan", "inf", "-", "+", "1.5-", "1e400", "0x10"}) {
    double value = 0;
    EXPECT_FALSE(parse_real(text, value)) << text;
  }
}

TEST(Numbers, IntegersAlsoWrittenAsReals) {
  const std::vector<std::pair<std::string, std::int64_t>> cases{{"0", 0},
                                                                {"-12", -12},
                                                                {"+7", 7},
                                                                {"3.0", 3},
                                                                {"3.", 3},
                                                                {"1e3", 1000},
                                                                {"99999999999999", 99999999999999}};
  for (const auto& [text, expected] : cases) {
    std::int64_t value = -99;
    EXPECT_TRUE(parse_integer(text, value)) << text;
    EXPECT_EQ(value, expected) << text;
  }
  for (const char* const text : {"3.5", "a", "1 1", "-", "99999999999999999999"}) {
    std::int64_t value = 0;
    EXPECT_FALSE(parse_integer(text, value)) << text;
  }
}

TEST(Syntax, FixedFieldsTitleAndDefaults) {
  const Deck deck = read_text(
      "*KEYWORD\n*TITLE\nA deck\n$ comment\n*CONTROL_TERMINATION\n$  endtim    endcyc\n      0.12        "
      "10\n*END\n"
      "nonsense after the end\n*FOO\n");
  EXPECT_EQ(deck.title(), "A deck");
  const Record r = first(deck, "CONTROL_TERMINATION");
  EXPECT_EQ(r.real("ENDTIM"), 0.12);
  EXPECT_EQ(r.integer("ENDCYC"), 10);
  EXPECT_EQ(r.real("DTMIN"), 0.0);
  EXPECT_FALSE(r.given("DTMIN"));
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Syntax, AdjacentFieldsWithoutSpace) {
  const Deck deck = read_text(
      "*DEFINE_CURVE\n         1         0       1.0\n"
      "           0.000E+00          -3.339E-02\n0.000000000000000+00-3.33900000000000-02\n");
  const Record r = first(deck, "DEFINE_CURVE");
  ASSERT_EQ(r.rows(), 2u);
  EXPECT_DOUBLE_EQ(r.real(0, 1), -3.339e-2);
  EXPECT_DOUBLE_EQ(r.real(1, 1), -3.339e-2);
  const Deck narrow = read_text("*SECTION_SHELL\n         1\n 0.000E+00-3.339E-02 1.000E+00\n");
  EXPECT_DOUBLE_EQ(first(narrow, "SECTION_SHELL").real("T2"), -3.339e-2);
}

TEST(Syntax, CommasMixedWithColumnsInOneBlock) {
  const Deck deck =
      read_text("*SECTION_SHELL\n1,16,,3\n       1.5       1.5\n         2        16\n2.5, 2.5 ,2.5\n");
  const auto records = deck.all("SECTION_SHELL").at(0).records();
  ASSERT_EQ(records.size(), 2u) << all_problems(deck);
  EXPECT_EQ(records[0].integer("ELFORM"), 16);
  EXPECT_EQ(records[0].real("SHRF"), 1.0);
  EXPECT_FALSE(records[0].given("SHRF"));
  EXPECT_EQ(records[0].integer("NIP"), 3);
  EXPECT_EQ(records[0].real("T2"), 1.5);
  EXPECT_EQ(records[1].integer("SECID"), 2);
  EXPECT_EQ(records[1].integer("NIP"), 2);
  EXPECT_EQ(records[1].real("T3"), 2.5);
}

TEST(Syntax, LongFormatByKeywordLineAndBySuffix) {
  const std::string twenty = "                   7                  10";
  const Deck whole =
      read_text("*KEYWORD LONG=Y\n*CONTROL_TERMINATION\n                0.25                  10\n");
  EXPECT_EQ(first(whole, "CONTROL_TERMINATION").real("ENDTIM"), 0.25);
  EXPECT_EQ(first(whole, "CONTROL_TERMINATION").integer("ENDCYC"), 10);
  const Deck one = read_text("*KEYWORD\n*SET_NODE+\n                   7\n" + twenty +
                             "\n*CONTROL_TERMINATION\n      0.12\n");
  EXPECT_EQ(first(one, "SET_NODE_LIST").integer("SID"), 7);
  EXPECT_EQ(first(one, "SET_NODE_LIST").integer(0, 1), 10);
  EXPECT_EQ(first(one, "CONTROL_TERMINATION").real("ENDTIM"), 0.12);
  const Deck standard = read_text("*KEYWORD LONG=Y\n*CONTROL_TERMINATION-\n      0.12        10\n");
  EXPECT_EQ(first(standard, "CONTROL_TERMINATION").integer("ENDCYC"), 10);
}

TEST(Syntax, LinesAfterATitleAreTold) {
  const Deck deck = read_text("*TITLE\none\ntwo\n");
  EXPECT_EQ(deck.title(), "one");
  EXPECT_EQ(ids(deck), Ids{"CR-D106"}) << all_problems(deck);
}

TEST(Syntax, OptionsOfKeywordThatMeanNothingAreTold) {
  const Deck known = read_text("*KEYWORD LONG = N, I10=N MEMORY=20m memory2=10m\n*KEYWORD 200000000\n");
  EXPECT_EQ(ids(known), Ids{}) << all_problems(known);
  const Deck other = read_text("*KEYWORD NCPU=2 ID = RUN_9 LONG=X\n");
  ASSERT_EQ(ids(other), (Ids{"CR-D008", "CR-D008", "CR-D008"})) << all_problems(other);
  EXPECT_EQ(other.problems()[1].text, "ID=RUN_9 of *KEYWORD is ignored");
}

TEST(Syntax, LongSIsReadAsTheColumnsShow) {
  const std::string wide =
      "*KEYWORD LONG=S\n*CONTROL_TERMINATION\n                0.25                  10\n*NODE\n"
      "                   4                 1.5                 2.5                 3.5\n";
  const std::string standard =
      "*KEYWORD LONG=S\n*CONTROL_TERMINATION\n      0.25        10\n*NODE\n"
      "       4             1.5             2.5             3.5\n";
  for (const std::string& text : {wide, standard}) {
    const Deck deck = read_text(text);
    EXPECT_EQ(first(deck, "CONTROL_TERMINATION").real("ENDTIM"), 0.25);
    EXPECT_EQ(first(deck, "CONTROL_TERMINATION").integer("ENDCYC"), 10);
    EXPECT_EQ(deck.bulk("NODE").integers[0][0], 4);
    EXPECT_EQ(deck.bulk("NODE").reals[2][0], 3.5);
    EXPECT_EQ(ids(deck), text == wide ? Ids{} : Ids{"CR-D009"}) << all_problems(deck);
  }
  // Lines under a keyword with a width of its own say nothing about the rest of the file.
  std::string many = "*KEYWORD LONG=S\n*NODE +\n";
  for (int i = 0; i < 5; ++i)
    many += "                   4                 1.5                 2.5                 3.5\n";
  const Deck marked = read_text(many + "*CONTROL_TERMINATION\n      0.25        10\n");
  EXPECT_EQ(first(marked, "CONTROL_TERMINATION").integer("ENDCYC"), 10);
  EXPECT_EQ(marked.bulk("NODE").reals[2][0], 3.5);
  const Deck ten = read_text("*KEYWORD I10=Y LONG=S\n*NODE\n1234567890             1.5             2.5\n");
  EXPECT_EQ(ten.bulk("NODE").integers[0][0], 1234567890);
}

TEST(Syntax, TenColumnIdsByKeywordLineAndBySuffix) {
  const std::string node = "1234567890             1.5             2.5             3.5         1         2\n";
  for (const std::string& text :
       {"*KEYWORD I10=Y\n*NODE\n" + node, "*KEYWORD\n*NODE %\n" + node, "*NODE%\n" + node}) {
    const Deck deck = read_text(text);
    const Bulk& nodes = deck.bulk("NODE");
    ASSERT_EQ(nodes.size(), 1u) << text;
    EXPECT_EQ(nodes.integers[0][0], 1234567890);
    EXPECT_EQ(nodes.reals[2][0], 3.5);
    EXPECT_EQ(nodes.integers[2][0], 2);
    EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
  }
}

TEST(Syntax, SuffixesAliasesAndLowerCase) {
  const Deck deck = read_text(
      "*keyword\n*mat_003_title\nsteel, mild\n1,7.85e-9,2.1e5,.3,250,100\n,,\n"
      "*Mat_Arruda_Log_Interpolation_Title\nrubber\n2,1.0\n*MAT_127\n3,1.0\n*Section_Shell_Title\nroof\n3\n1."
      "0\n");
  const Record steel = first(deck, "MAT_PLASTIC_KINEMATIC");
  EXPECT_EQ(steel.title(), "steel, mild");
  EXPECT_EQ(steel.real("SIGY"), 250);
  EXPECT_EQ(steel.real("FS"), 1e20);
  const auto rubber = deck.all("MAT_ARRUDA");
  ASSERT_EQ(rubber.size(), 2u);
  EXPECT_TRUE(rubber[0].suffix("LOG_INTERPOLATION"));
  EXPECT_EQ(rubber[0].records().at(0).title(), "rubber");
  EXPECT_FALSE(rubber[1].suffix("TITLE"));
  EXPECT_EQ(rubber[1].records().at(0).integer("MID"), 3);
  EXPECT_EQ(deck.family("MAT_").size(), 3u);
  EXPECT_EQ(first(deck, "SECTION_SHELL").title(), "roof");
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Syntax, IdSuffixGivesNumberAndHeading) {
  const Deck deck = read_text(
      "*CONTACT_SINGLE_MPP_ID\n        12front, left and right\n       200\n         3         4\n"
      "*CONTACT_SINGLE_ID\n13,rear, all\n5,6\n*CONTACT_LIKE\n7,8\n");
  const auto blocks = deck.all("CONTACT_SINGLE");
  ASSERT_EQ(blocks.size(), 2u) << all_problems(deck);
  const Record a = blocks[0].records().at(0), b = blocks[1].records().at(0);
  EXPECT_EQ(a.id(), 12);
  EXPECT_EQ(a.title(), "front, left and right");
  EXPECT_EQ(a.integer("BCKT"), 200);
  EXPECT_EQ(a.integer("MSID"), 4);
  EXPECT_EQ(b.id(), 13);
  EXPECT_EQ(b.title(), "rear, all");
  EXPECT_EQ(b.integer("SSID"), 5);
  const Record like = first(deck, "CONTACT_LIKE");
  EXPECT_EQ(like.id(), std::nullopt);
  EXPECT_EQ(like.title(), "");
  EXPECT_EQ(like.integer("MSID"), 8);
}

TEST(Syntax, CarriageReturnsTabsLongLinesAndKeywordComments) {
  const Deck deck =
      read_text("*KEYWORD\r\n*SECTION_SHELL   a note (12 words)\r\n         1        16\r\n       1.5" +
                std::string(90, ' ') + "remark far out\r\n*SET_NODE\r\n\t 1\r\n\t 2\t\t 3\r\n");
  EXPECT_EQ(first(deck, "SECTION_SHELL").integer("ELFORM"), 16);
  EXPECT_EQ(first(deck, "SECTION_SHELL").real("T1"), 1.5);
  EXPECT_EQ(first(deck, "SET_NODE_LIST").integer("SID"), 1);
  EXPECT_EQ(ids(deck), (Ids{"CR-D111", "CR-D007"})) << all_problems(deck);
}

TEST(Syntax, ByteOrderMarkIsNoText) {
  const Deck deck = read_text("\xEF\xBB\xBF*CONTROL_TERMINATION\n      0.12\n");
  EXPECT_EQ(first(deck, "CONTROL_TERMINATION").real("ENDTIM"), 0.12);
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Syntax, BlankCardsAreCardsAndTrailingBlanksAreNone) {
  const Deck deck = read_text(
      "*MAT_003\n1,1.0\n\n*SECTION_SHELL\n         1\n\n         2\n       2.0\n\n\n"
      "*SET_NODE\n         1\n         5\n\n");
  EXPECT_EQ(first(deck, "MAT_PLASTIC_KINEMATIC").real("FS"), 1e20);
  const auto sections = deck.all("SECTION_SHELL").at(0).records();
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_FALSE(sections[0].given("T1"));
  EXPECT_EQ(sections[1].real("T1"), 2.0);
  EXPECT_EQ(first(deck, "SET_NODE_LIST").rows(), 1u);
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Syntax, ConditionalCountedAndOptionalCards) {
  const Deck deck = read_text(
      "*SECTION_SHELL\n1,2,1.0,6,0.,0,1\n1.0\n1.,2.,3.,4.\n5.,6.\n2\n2.0\n"
      "*CONTROL_SHELL\n15.0\n*CONTROL_SHELL\n15.0\n2.0\n7\n");
  const auto sections = deck.all("SECTION_SHELL").at(0).records();
  ASSERT_EQ(sections.size(), 2u) << all_problems(deck);
  ASSERT_EQ(sections[0].rows("3"), 2u);
  EXPECT_EQ(sections[0].real(1, 1, "3"), 6.0);
  EXPECT_EQ(sections[0].real("B3"), 3.0);
  EXPECT_EQ(sections[1].rows("3"), 0u);
  const auto controls = deck.all("CONTROL_SHELL");
  ASSERT_EQ(controls.size(), 2u);
  EXPECT_EQ(controls[0].records().at(0).real("ROTASCL"), 1.0);
  EXPECT_EQ(controls[1].records().at(0).real("ROTASCL"), 2.0);
  EXPECT_EQ(controls[1].records().at(0).integer("PSTUPD"), 7);
  EXPECT_THROW(controls[0].records().at(0).real("NO_SUCH"), Error);
}

TEST(Syntax, PartsRepeatWithTheirHeadings) {
  const Deck deck = read_text(
      "*PART\nroof, outer\n         1        11        21\n\n         2        12        22\n"
      "*PART_CONTACT\ndoor\n3,13,23\n0.2,0.1\n");
  const auto blocks = deck.all("PART");
  ASSERT_EQ(blocks.size(), 2u);
  const auto parts = blocks[0].records();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].title(), "roof, outer");
  EXPECT_EQ(parts[0].integer("MID"), 21);
  EXPECT_EQ(parts[1].title(), "");
  EXPECT_EQ(parts[1].integer("PID"), 2);
  EXPECT_EQ(blocks[1].records().at(0).real("FS"), 0.2);
  EXPECT_EQ(blocks[1].full_name(), "PART_CONTACT");
}

TEST(Syntax, RowsOfTextAndNumbers) {
  const Deck deck = read_text("*SET_NODE_GENERAL\n         1\n      PART         3         4\nALL\n");
  const Record r = first(deck, "SET_NODE_GENERAL");
  ASSERT_EQ(r.rows(), 2u);
  EXPECT_EQ(r.text(0, 0), "PART");
  EXPECT_EQ(r.integer(0, 2), 4);
  EXPECT_EQ(r.text(1, 0), "ALL");
  EXPECT_FALSE(r.given(1, 1));
  EXPECT_THROW(r.integer(2, 0), Error);
  EXPECT_EQ(r.row_place(1).line, 4);
}

TEST(Bulk, NodesFixedCommaAndLong) {
  const Deck deck = read_text(
      "*NODE\n       1       -3460.683       -504.8825        360.9617       0       7\n2,1.,2.,3.\n\n"
      "$ comment\n       3\n*NODE+\n                   4                 1.5                 2.5             "
      "    3.5\n");
  const Bulk& nodes = deck.bulk("NODE");
  ASSERT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes.integer_names, (std::vector<std::string>{"NID", "TC", "RC"}));
  EXPECT_EQ(nodes.real_names, (std::vector<std::string>{"X", "Y", "Z"}));
  EXPECT_EQ(nodes.integers[0], (std::vector<GlobalId>{1, 2, 3, 4}));
  EXPECT_EQ(nodes.integers[2][0], 7);
  EXPECT_EQ(nodes.reals[0], (std::vector<double>{-3460.683, 1., 0., 1.5}));
  EXPECT_EQ(nodes.line, (std::vector<std::int32_t>{2, 3, 6, 8}));
  EXPECT_EQ(deck.place(nodes.file[1], nodes.line[1]).line, 3);
  EXPECT_EQ(deck.bulk("ELEMENT_BEAM").size(), 0u);
}

TEST(Bulk, SolidsOnOneAndOnTwoLines) {
  const std::string eight = "       1       2       3       4       5       6       7       8";
  const Deck deck = read_text("*ELEMENT_SOLID\n      10       1" + eight + "\n      11       1\n" + eight +
                              "       0       0\n*ELEMENT_SOLID (ten nodes format)\n      12       1\n" +
                              eight + "       9      10\n");
  const Bulk& solids = deck.bulk("ELEMENT_SOLID");
  ASSERT_EQ(solids.size(), 3u) << all_problems(deck);
  EXPECT_EQ(solids.integers[0], (std::vector<GlobalId>{10, 11, 12}));
  EXPECT_EQ(solids.integers[9], (std::vector<GlobalId>{8, 8, 8}));
  EXPECT_EQ(solids.integers[11], (std::vector<GlobalId>{0, 0, 10}));
  EXPECT_EQ(solids.line, (std::vector<std::int32_t>{2, 3, 6}));
}

TEST(Bulk, SuffixMakesAnotherTableAndAddsCards) {
  const Deck deck = read_text(
      "*ELEMENT_SHELL\n       1       1       1       2       3       4       0       0\n"
      "*ELEMENT_SHELL_THICKNESS\n       2       1       1       2       3       3\n"
      "             1.0             1.1             1.2             1.3\n");
  EXPECT_EQ(deck.bulk_names("ELEMENT"), (Ids{"ELEMENT_SHELL", "ELEMENT_SHELL_THICKNESS"}));
  EXPECT_EQ(deck.bulk("ELEMENT_SHELL").size(), 1u);
  const Bulk& thick = deck.bulk("ELEMENT_SHELL_THICKNESS");
  ASSERT_EQ(thick.size(), 1u);
  EXPECT_EQ(thick.reals[3][0], 1.3);
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Bulk, MalformedNumbersAndRefusedColumnsAreReported) {
  const Deck deck = read_text(
      "*NODE\n       1             1.x             2.0\n      2a\n"
      "*ELEMENT_SHELL\n       1       1       1       2       3       4       5\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D110", "CR-D110", "CR-D203"})) << all_problems(deck);
  EXPECT_EQ(deck.problems()[0].place.field, "X");
  EXPECT_EQ(deck.problems()[0].place.line, 2);
  EXPECT_EQ(deck.bulk("NODE").reals[1][0], 2.0);
}

}  // namespace
}  // namespace crumple::deck
