// *CASE: which runs a deck describes, and which keywords each of them has.
#include "deck/cases.hpp"

#include <gtest/gtest.h>

#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

const char* const kTwoCases =
    "*KEYWORD\n*CASE\n$ a comment\n       101 slow\nMEMORY=20M  ENDTIME=0.5\n         1         2\n         "
    "3\n"
    "*NODE\n       1\n*CASE\n102\n\n4,5\n*END\n*CASE\n103\n";

std::vector<GlobalId> nodes_of(const Deck& deck) {
  const Bulk& nodes = deck.bulk("NODE");
  return nodes.integers.empty() ? std::vector<GlobalId>{} : nodes.integers[0];
}

/// A deck of three nodes in the model and in two subcases, as a case with `subcases` has it.
Deck read_case(const std::string& text, std::optional<std::vector<std::int64_t>> subcases) {
  ReadOptions options;
  options.subcases = std::move(subcases);
  return read_text(text, options);
}

TEST(Cases, OfADeckInTheirOrderUpToItsEnd) {
  const DeckFiles files;
  const auto cases = cases_of(files.write("deck.k", kTwoCases));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].id, 101);
  EXPECT_EQ(cases[0].job_id, "slow");
  EXPECT_EQ(cases[0].words, (Ids{"MEMORY=20M", "ENDTIME=0.5"}));
  EXPECT_EQ(cases[0].subcases, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(cases[0].line, 2);
  EXPECT_EQ(cases[1].job_id, "CASE102") << "without a name";
  EXPECT_EQ(cases[1].subcases, (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(cases[1].line, 10);
}

TEST(Cases, NoneInADeckWithoutThem) {
  const DeckFiles files;
  EXPECT_TRUE(cases_of(files.write("deck.k", "*KEYWORD\n*CASE_BEGIN_1\n*CASE_END_1\n*END\n")).empty());
  EXPECT_TRUE(cases_of((files.root() / "none.k").string()).empty()) << "which the reader reports";
}

TEST(Cases, WhatCannotBeACaseIsRefused) {
  const DeckFiles files;
  const auto says = [&](const std::string& cards) {
    try {
      cases_of(files.write("deck.k", "*KEYWORD\n" + cards + "*END\n"));
    } catch (const Error& error) {
      return error.id() == "CR-D018" ? error.message() : error.id();
    }
    return std::string{};
  };
  EXPECT_NE(says("*CASE\n").find("no card"), std::string::npos);
  EXPECT_NE(says("*CASE\nfirst\n").find("'first' for CASEID"), std::string::npos);
  EXPECT_NE(says("*CASE\n1,a b\n").find("blank or a slash"), std::string::npos);
  EXPECT_NE(says("*CASE\n1,../a\n").find("blank or a slash"), std::string::npos);
  EXPECT_NE(says("*CASE\n1\n\n1,x\n").find("'x' for a subcase"), std::string::npos);
  EXPECT_NE(says("*CASE\n1\n*CASE\n1,b\n").find("of another case"), std::string::npos);
  EXPECT_NE(says("*CASE\n1,b\n*CASE\n2,b\n").find("of another case"), std::string::npos);
}

TEST(Cases, HaveTheModelAndTheirSubcases) {
  const std::string text =
      "*KEYWORD\n*CASE\n1\n\n7\n*NODE\n       1\n*CASE_BEGIN_7\n*NODE\n       2\n*CASE_END_7\n"
      "*CASE_BEGIN_8\n*NODE\n       3\n*INCLUDE\nnowhere.k\n*CASE_END_8\n*NODE\n       4\n*CASE_BEGIN_7\n"
      "*NODE\n       5\n*CASE_END_7\n*END\n";
  const Deck seven = read_case(text, {{7}}), none = read_case(text, {std::vector<std::int64_t>{}});
  EXPECT_EQ(nodes_of(seven), (std::vector<GlobalId>{1, 2, 4, 5})) << all_problems(seven);
  EXPECT_FALSE(seven.has_errors()) << all_problems(seven);
  EXPECT_EQ(nodes_of(none), (std::vector<GlobalId>{1, 4})) << all_problems(none);
  const Deck eight = read_case(text, {{8}});
  EXPECT_EQ(nodes_of(eight), (std::vector<GlobalId>{1, 3, 4}));
  EXPECT_EQ(ids(eight), Ids{"CR-D002"}) << "the file that is not there counts in its subcase only";
}

TEST(Cases, SubcasesThatDoNotEndAreErrors) {
  const auto errors = [](const std::string& text) { return ids(read_case("*KEYWORD\n" + text, {{1}})); };
  EXPECT_EQ(errors("*CASE_BEGIN_1\n*NODE\n       1\n*END\n"), Ids{"CR-D018"});
  EXPECT_EQ(errors("*CASE_BEGIN_2\n*NODE\n       1\n*END\n"), Ids{"CR-D018"})
      << "also where it is passed over";
  EXPECT_EQ(errors("*CASE_END_1\n*END\n"), Ids{"CR-D018"});
  EXPECT_EQ(errors("*CASE_BEGIN_x\n*END\n"), Ids{"CR-D018"});
  EXPECT_EQ(errors("*CASE_BEGIN_1\n*CASE_BEGIN_2\n*CASE_END_1\n*END\n"), Ids{"CR-D018"}) << "in each other";
  EXPECT_EQ(errors("*CASE_BEGIN_2\n*CASE_BEGIN_1\n*CASE_END_2\n*END\n"), Ids{"CR-D018"});
  EXPECT_EQ(ids(read_case("*KEYWORD\n*CASE_BEGIN_1\n*CASE_END_1\n*END\n", {})), (Ids{"CR-D018", "CR-D018"}))
      << "no case has it";
}

}  // namespace
}  // namespace crumple::deck
