// All problems in one pass, repeats counted, nothing dropped without a word.
#include "deck/diagnostics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "deck/coverage.hpp"
#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

TEST(Problems, MalformedFieldNamesPlaceCardFieldFoundAndExpected) {
  const Deck deck =
      read_text("*SECTION_SHELL\n         1       1.5       abc\n      x1.0\n*MAT_003\n1,1.0,2..0\n\n");
  ASSERT_EQ(ids(deck), (Ids{"CR-D110", "CR-D110", "CR-D110", "CR-D110"})) << all_problems(deck);
  const Problem& first = deck.problems()[0];
  EXPECT_EQ(first.place.line, 2);
  EXPECT_EQ(first.place.card, "1");
  EXPECT_EQ(first.place.field, "ELFORM");
  EXPECT_EQ(first.text, "*SECTION_SHELL: found '1.5', expected an integer");
  EXPECT_NE(to_text(first).find("deck.k:2: error CR-D110: *SECTION_SHELL"), std::string::npos);
  const Record section = deck.all("SECTION_SHELL").at(0).records().at(0);
  EXPECT_EQ(section.integer("ELFORM"), 2) << "reads as its default";
  EXPECT_EQ(section.real("SHRF"), 1.0);
  EXPECT_EQ(deck.problems().size(), 4u) << "reading it does not report it again";
}

TEST(Problems, RepeatsAreCutOffAndCounted) {
  std::string text = "*NODE\n";
  for (int i = 0; i < 60; ++i) text += "       a\n";
  const Deck deck = read_text(text);
  ASSERT_EQ(deck.problems().size(), 51u);
  EXPECT_EQ(deck.problems().back().text, "10 more of this kind in *NODE, the first of them here");
  EXPECT_EQ(deck.problems().back().place.line, 52);
}

TEST(Problems, MisspeltKeywordsNameTheNearest) {
  const auto said = [](const std::string& keyword) {
    const Deck deck = read_text("*" + keyword + "\n1,2\n");
    return deck.problems().empty() ? std::string{} : deck.problems()[0].text;
  };
  EXPECT_NE(said("SET_NOD_LIST").find("did you mean *SET_NODE_LIST?"), std::string::npos);
  EXPECT_NE(said("SECTION_SHEL_TITLE").find("*SECTION_SHELL_TITLE?"), std::string::npos);
  EXPECT_EQ(said("MAT_997").find("mean"), std::string::npos);  // another number is another law
  EXPECT_EQ(said("FOO_BAR").find("mean"), std::string::npos);
}

TEST(Problems, UnknownIgnoredAndRefusedKeywordsOnceWithCount) {
  const std::string text =
      "*FOO_BAR\n1,2\n*DATABASE_GLSTAT\n1.0\n*LOAD_RIGID_BODY\n1\n*FOO_BAR\n*FOO_BAR\n*FOO_BAR\n*SECTION_"
      "SHELL_WOBBLE\n"
      "*MAT_MOONEY-RIVLIN_RUBBER\n1\n*MAT_027\n1\n";
  const Deck deck = read_text(text);
  ASSERT_EQ(ids(deck), (Ids{"CR-D101", "CR-D103", "CR-D102", "CR-D101", "CR-D102", "CR-D102"}))
      << all_problems(deck);
  EXPECT_EQ(deck.problems()[0].place.line, 1);
  EXPECT_NE(deck.problems()[0].text.find("4 times"), std::string::npos);
  EXPECT_EQ(deck.problems()[1].severity, Severity::warning);
  EXPECT_EQ(deck.problems()[2].severity, Severity::error);
  EXPECT_NE(deck.problems()[3].text.find("option WOBBLE of *SECTION_SHELL"), std::string::npos);
  EXPECT_TRUE(deck.has_errors());
  const Deck allowed = read_text(text, {.allow_unsupported = true});
  EXPECT_EQ(allowed.problems().size(), 6u);
  EXPECT_FALSE(allowed.has_errors()) << all_problems(allowed);
}

TEST(Problems, RefusedKeywordsSayWhatChangesWithoutThem) {
  const Deck deck = read_text("*MAT_MOONEY-RIVLIN_RUBBER\n1\n");
  ASSERT_EQ(ids(deck), (Ids{"CR-D102"}));
  EXPECT_EQ(deck.problems()[0].text,
            "*MAT_MOONEY-RIVLIN_RUBBER is not supported: no rubber; without it parts are missing");
  EXPECT_EQ(small_schema().effect_of_leaving_out("MAT_ADD_EROSION"), "it is whole")
      << "the longest beginning";
  EXPECT_EQ(small_schema().effect_of_leaving_out("MATERIAL"), "") << "beginnings end at a _";
}

TEST(Problems, EveryRefusedKeywordHasAnEffect) {
  for (const EntrySchema& entry : builtin_schema().entries()) {
    if (entry.support != Support::refused) continue;
    EXPECT_NE(builtin_schema().effect_of_leaving_out(entry.name), "") << entry.name;
    for (const std::string& alias : entry.aliases)
      EXPECT_NE(builtin_schema().effect_of_leaving_out(alias), "") << alias;
  }
}

TEST(Problems, MissingCardsLeftoverLinesAndEmptyKeywords) {
  const Deck deck = read_text(
      "*MAT_003\n1,1.0\n*CONTROL_TERMINATION\n1.0\n2.0\n3.0\n*CONTROL_TERMINATION\n*NODE\n"
      "*SECTION_SHELL\n*ELEMENT_SOLID\n1,1\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D105", "CR-D106", "CR-D107", "CR-D105"})) << all_problems(deck);
  EXPECT_EQ(deck.problems()[1].place.line, 5);
}

TEST(Problems, TextBeforeTheFirstKeywordAndBeyondTheLastField) {
  const Deck deck = read_text(
      "hello\nworld\n*CONTROL_TERMINATION\n      0.12         0       0.0         0         5\n"
      "*SECTION_SHELL\n1\n1,1,1,1,0,0,oops\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D006", "CR-D111", "CR-D111"})) << all_problems(deck);
}

TEST(Coverage, FieldsAreUsedIgnoredRefusedOrReported) {
  const Deck deck = read_text(
      "*SECTION_SHELL\n         1        16       0.8         2       1.0         0         0         4\n"
      "       1.5       1.5         0         0      -1.0\n"
      "         2        16       1.0         2       0.0         0         0         7\n       1.5\n"
      "*SET_NODE\n1\n1,2\n3\n*DATABASE_GLSTAT\n1.\n*WHAT\n*NODE\n1\n2\n*TITLE\nx\n");
  EXPECT_EQ(ids(deck), (Ids{"CR-D203", "CR-D202", "CR-D103", "CR-D101"})) << all_problems(deck);
  for (const Record& r : deck.all("SECTION_SHELL").at(0).records()) {
    r.integer("SECID");
    r.integer("ELFORM");
    r.real("T1");
  }
  const Record set = deck.all("SET_NODE_LIST").at(0).records().at(0);
  set.integer("SID");
  for (std::size_t row = 0; row < set.rows(); ++row) set.integer(row, 0);
  report_unused(deck);
  report_unused(deck);
  std::vector<std::string> fields;
  for (const Problem& p : deck.problems())
    if (p.id == "CR-D201") fields.push_back(p.place.field);
  EXPECT_EQ(fields, (Ids{"SHRF", "T2", "NLOC", "N2"})) << all_problems(deck);

  const auto table = coverage_table(deck);
  const auto row = [&](const std::string& name) {
    return *std::find_if(table.begin(), table.end(), [&](const auto& r) { return r.keyword == name; });
  };
  EXPECT_EQ(row("SECTION_SHELL").records, 2u);
  EXPECT_EQ(row("NODE").records, 2u);
  EXPECT_EQ(row("DATABASE_GLSTAT").support, "ignored");
  EXPECT_EQ(row("WHAT").support, "unknown");
  EXPECT_EQ(row("TITLE").support, "yes");
  EXPECT_EQ(row("TITLE").blocks, 1u);
  for (const FieldCoverage& f : row("SECTION_SHELL").fields) {
    EXPECT_EQ(f.given, f.used + f.ignored + f.refused + f.unused) << f.name;
    if (f.name == "SETYP") {
      EXPECT_EQ(f.refused, 1u);
    }
    if (f.name == "PROPT") {
      EXPECT_EQ(f.ignored, 1u);
    }
    if (f.name == "T2") {
      EXPECT_EQ(f.unused, 1u);
    }
    if (f.name == "T1") {
      EXPECT_EQ(f.used, 2u);
    }
  }
  const std::string text = to_text(table);
  EXPECT_NE(text.find("*SECTION_SHELL"), std::string::npos);
  EXPECT_NE(text.find("PROPT"), std::string::npos);
}

TEST(Coverage, MatrixListsKeywordsAndRemarks) {
  const std::string text = keyword_matrix(small_schema());
  EXPECT_NE(text.find("| *MAT_MOONEY-RIVLIN_RUBBER | refused | no rubber |"), std::string::npos);
  EXPECT_NE(text.find("`MAT_003`"), std::string::npos);
  EXPECT_NE(text.find("PROPT (ignored: printout)"), std::string::npos);
  EXPECT_NE(text.find("of 3 material laws that have numbers 2."), std::string::npos) << text.substr(0, 800);
  EXPECT_NE(text.find("Element formulations (ELFORM): 2 of 49 of *SECTION_SHELL (2, 16)."),
            std::string::npos);
}

TEST(SchemaData, MistakesAreNamed) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      Schema schema(std::array<std::string, 1>{text});
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-D900");
      return error.message();
    }
  };
  EXPECT_NE(message(R"({"A":{"suport":"yes"}})").find("suport"), std::string::npos);
  EXPECT_NE(message(R"({"A":{"support":"maybe"}})").find("maybe"), std::string::npos);
  EXPECT_NE(message(R"({"A":{"support":"yes"}})").find("no cards"), std::string::npos);
  EXPECT_NE(message(R"({"A":{"cards":[{"name":"1","fields":[["X","Q"]]}]}})").find("type"),
            std::string::npos);
  EXPECT_NE(message(R"({"A":{"cards":[{"name":"1","when":"Y==1","fields":[["X","I"]]}]}})").find("'Y'"),
            std::string::npos);
  EXPECT_NE(message(R"({"A":{"cards":[{"name":"1","fields":[["X","I"],["X","I"]]}]}})").find("twice"),
            std::string::npos);
  EXPECT_NE(message(R"({"A":{"support":"refused","aliases":["B"]},"B":{"support":"refused"}})").find("B"),
            std::string::npos);
  EXPECT_NE(message("{").find("parse error"), std::string::npos);
  EXPECT_EQ(message(R"({"//":"note","A":{"support":"refused"}})"), "none");
}

// docs/keywords.md is generated: CRUMPLE_WRITE_DOCS=1 unit_deck writes it anew.
TEST(Coverage, TheMatrixInTheDocsIsThatOfTheSchema) {
  const std::filesystem::path page = std::filesystem::path(CRUMPLE_SOURCE_DIR) / "docs/keywords.md";
  const std::string expected = keyword_matrix(builtin_schema());
  if (std::getenv("CRUMPLE_WRITE_DOCS")) std::ofstream(page, std::ios::binary) << expected;
  std::ifstream file(page, std::ios::binary);
  std::stringstream found;
  found << file.rdbuf();
  EXPECT_TRUE(found.str() == expected)
      << "docs/keywords.md is out of date: run CRUMPLE_WRITE_DOCS=1 unit_deck";
}

TEST(SchemaData, TheBuiltInSchemaLoads) { EXPECT_GT(builtin_schema().entries().size(), 10u); }

}  // namespace
}  // namespace crumple::deck
