// *PARAMETER in its forms, references to them, and expressions.
#include "deck/parameters.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "deck/coverage.hpp"
#include "deck/expression.hpp"
#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

double evaluate(const std::string& text) {
  return Expression(text).evaluate([](std::size_t) { return 3.0; });
}

TEST(Expression, PrecedenceFunctionsAndErrors) {
  EXPECT_EQ(evaluate("1+2*3"), 7);
  EXPECT_EQ(evaluate("-2**2"), -4);
  EXPECT_EQ(evaluate("2**3**2"), 512);
  EXPECT_EQ(evaluate("2^-1"), 0.5);
  EXPECT_EQ(evaluate("(1+2)*3 - 4/2"), 7);
  EXPECT_EQ(evaluate("7-2-1"), 4);
  EXPECT_EQ(evaluate("max(1,x,2)+min(5,4)"), 7);
  EXPECT_EQ(evaluate("ceil(7/4)"), 2);
  EXPECT_EQ(evaluate("x==3 && !(x<2) || 0"), 1);
  EXPECT_EQ(evaluate("x!=3"), 0);
  EXPECT_EQ(evaluate("1.5e3+2d0"), 1502);
  EXPECT_EQ(evaluate("'QR/IRID' >= 3"), 1);
  EXPECT_DOUBLE_EQ(evaluate("sqrt(16)*cos(0)"), 4);
  for (const char* const text : {"", "1+", "(1", "1 2", "foo(1)", "max()", "atan2(1)", "'x", "1..2"})
    EXPECT_THROW(evaluate(text), Error) << text;
}

TEST(Parameters, TypeLetterApartOrGluedFixedOrFree) {
  const Deck deck = read_text(
      "*PARAMETER\nR     TEND      0.25I     NCYC        12\nrtbumper,2.9785\niform , 16\n"
      "*CONTROL_TERMINATION\n     &tend     &NCYC\n*SECTION_SHELL\n1,&form\n&tbumper,-&tbumper,&-tbumper\n");
  const Record end = deck.all("CONTROL_TERMINATION").at(0).records().at(0);
  EXPECT_EQ(end.real("ENDTIM"), 0.25) << all_problems(deck);
  EXPECT_EQ(end.integer("ENDCYC"), 12);
  const Record section = deck.all("SECTION_SHELL").at(0).records().at(0);
  EXPECT_EQ(section.integer("ELFORM"), 16);
  EXPECT_EQ(section.real("T1"), 2.9785);
  EXPECT_EQ(section.real("T2"), -2.9785);
  EXPECT_EQ(section.real("T3"), -2.9785);
  EXPECT_EQ(ids(deck), Ids{});
}

TEST(Parameters, ExpressionsUseEarlierParameters) {
  const Deck deck = read_text(
      "*PARAMETER\nRA,2.0,RB,&A\n*PARAMETER_EXPRESSION\nRC        &a*B + sqrt(16.0)\n"
      "Ilong     1+\n          2+\n          max(3,4)\nrd, 2*c\n"
      "*CONTROL_TERMINATION\n&c,&long,&d\n*SECTION_SHELL\n1\n<2*a+1>\n");
  const Record end = deck.all("CONTROL_TERMINATION").at(0).records().at(0);
  EXPECT_EQ(end.real("ENDTIM"), 8.0) << all_problems(deck);
  EXPECT_EQ(end.integer("ENDCYC"), 7);
  EXPECT_EQ(end.real("DTMIN"), 16.0);
  EXPECT_EQ(deck.all("SECTION_SHELL").at(0).records().at(0).real("T1"), 5.0);
  EXPECT_EQ(ids(deck), Ids{});
}

TEST(Parameters, TextsAndBulkReferences) {
  const Deck deck = read_text(
      "*PARAMETER\nCopt,part\nIN,5\nRX,1.25\n*SET_NODE_GENERAL\n1\n&opt,3\n*NODE\n      &N              "
      "&X\n");
  EXPECT_EQ(deck.all("SET_NODE_GENERAL").at(0).records().at(0).text(0, 0), "part");
  EXPECT_EQ(deck.bulk("NODE").integers[0][0], 5);
  EXPECT_EQ(deck.bulk("NODE").reals[0][0], 1.25);
  EXPECT_EQ(ids(deck), Ids{}) << all_problems(deck);
}

TEST(Parameters, MistakesAreReportedAndReadingGoesOn) {
  const Deck deck = read_text(
      "*PARAMETER\nRA,2.x\nXB,1\nIC,1.5\nRD,1\nRD,2\n*PARAMETER_EXPRESSION\nRE,1+*2\nRF,&nope\nRG,1/0\n"
      "*CONTROL_TERMINATION\n&unknown,&D\n");
  EXPECT_EQ(ids(deck),
            (Ids{"CR-D012", "CR-D012", "CR-D012", "CR-D014", "CR-D013", "CR-D011", "CR-D013", "CR-D011"}))
      << all_problems(deck);
  EXPECT_EQ(deck.problems()[0].place.line, 2);
  const Record end = deck.all("CONTROL_TERMINATION").at(0).records().at(0);
  EXPECT_EQ(end.integer("ENDCYC"), 1) << "the first definition counts";
  EXPECT_EQ(end.real("ENDTIM"), 0.0);
}

TEST(Parameters, NamesThatCannotBeReferredToAreMistakes) {
  const auto found = [](const std::string& text) { return ids(read_text(text)); };
  // The value begins two columns early: the name would be "NIP 2**2".
  EXPECT_EQ(found("*PARAMETER_EXPRESSION\ni nip 2**2-1\n"), Ids{"CR-D012"});
  EXPECT_EQ(found("*PARAMETER\nR   thick       1.2R  gap         6.\n"), (Ids{"CR-D012", "CR-D012"}));
  // A letter without a name is no continuation of the line before.
  const Deck deck = read_text("*PARAMETER_EXPRESSION\nra, 1+2\nr,+4\n*CONTROL_TERMINATION\n&a\n");
  EXPECT_EQ(ids(deck), Ids{"CR-D012"}) << all_problems(deck);
  EXPECT_EQ(deck.problems()[0].place.line, 3);
  EXPECT_EQ(deck.all("CONTROL_TERMINATION").at(0).records().at(0).real("ENDTIM"), 3.0);
}

TEST(Parameters, NothingOfTheirCardsIsDroppedSilently) {
  const auto found = [](const std::string& text) { return ids(read_text(text)); };
  EXPECT_EQ(found("*PARAMETER\nra,1,rb,2,rc,3,rd,4,re,5\n"), Ids{"CR-D111"});
  EXPECT_EQ(found("*PARAMETER_DUPLICATION\n9\n"), Ids{"CR-D110"});
  EXPECT_EQ(found("*PARAMETER_DUPLICATION\nno\n"), Ids{"CR-D110"});
  EXPECT_EQ(found("*PARAMETER_DUPLICATION\n3,\n*PARAMETER\nRD,1,RD,2\n"), Ids{"CR-D014"});
  EXPECT_EQ(read_text("*PARAMETER_DUPLICATION\n3,\n*PARAMETER\nRD,1,RD,2\n").problems()[0].severity,
            Severity::error);
}

TEST(Parameters, OtherKeywordsOfTheNameAreUnknownOrRefused) {
  const Deck deck =
      read_text("*PARAMETER_GLOBAL\nra,1\n*PARAMETER_TYPE\nrb,1\n*PARAMETER_EXPRESSION_LOCAL\nrc,1\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D102", "CR-D101"})) << all_problems(deck);
  std::string supports;
  for (const KeywordCoverage& row : coverage_table(deck)) supports += row.keyword + " " + row.support + "\n";
  EXPECT_EQ(supports, "PARAMETER_EXPRESSION_LOCAL yes\nPARAMETER_GLOBAL unknown\nPARAMETER_TYPE refused\n");
}

TEST(Parameters, DuplicationPolicies) {
  const auto value = [](const std::string& flag) {
    const Deck deck =
        read_text("*PARAMETER_DUPLICATION\n" + flag + "\n*PARAMETER\nRD,1,RD,2\n*CONTROL_TERMINATION\n&D\n");
    return std::pair(deck.all("CONTROL_TERMINATION").at(0).records().at(0).real("ENDTIM"),
                     deck.problems().size());
  };
  EXPECT_EQ(value("1"), std::pair(1.0, std::size_t{1}));
  EXPECT_EQ(value("2"), std::pair(2.0, std::size_t{1}));
  EXPECT_EQ(value("3"), std::pair(1.0, std::size_t{1}));
  EXPECT_EQ(value("4"), std::pair(2.0, std::size_t{0}));
  EXPECT_EQ(value("5"), std::pair(1.0, std::size_t{0}));
}

TEST(Parameters, LocalOnesEndWithTheirFile) {
  const DeckFiles files;
  files.write("part.k", "*PARAMETER_LOCAL\nRT,5.0\n*PARAMETER\nRG,6.0\n*SECTION_SHELL\n1\n&t,&g\n");
  const std::string root =
      files.write("root.k", "*PARAMETER\nRT,1.0\n*INCLUDE\npart.k\n*SECTION_SHELL\n2\n&t,&g\n");
  const Deck deck = read_deck(root, {}, small_schema());
  const auto blocks = deck.all("SECTION_SHELL");
  ASSERT_EQ(blocks.size(), 2u) << all_problems(deck);
  EXPECT_EQ(blocks[0].records().at(0).real("T1"), 5.0);
  EXPECT_EQ(blocks[1].records().at(0).real("T1"), 1.0);
  EXPECT_EQ(blocks[1].records().at(0).real("T2"), 6.0);
}

}  // namespace
}  // namespace crumple::deck
