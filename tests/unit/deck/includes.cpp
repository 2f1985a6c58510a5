// Includes: where files are found, cycles, what is missing, where *END ends.
#include "deck/includes.hpp"

#include <gtest/gtest.h>

#include "deck_files.hpp"

namespace crumple::deck {
namespace {

using Ids = std::vector<std::string>;

std::vector<GlobalId> node_ids(const Deck& deck) {
  const Bulk& nodes = deck.bulk("NODE");
  return nodes.integers.empty() ? std::vector<GlobalId>{} : nodes.integers[0];
}

TEST(Includes, FilesInOrderRelativeToIncludingFileAndRoot) {
  const DeckFiles files;
  files.write("sub/a.k", "*NODE\n       1\n*INCLUDE\nb.k\ntop.k\n*NODE\n       4\n*END\n*NODE\n      99\n");
  files.write("sub/b.k", "*NODE\n       2\n");
  files.write("top.k", "*NODE\n       3\n");
  const std::string root =
      files.write("root.k", "*INCLUDE\nsub\\a.k\n*NODE\n       5\n*END\n*NODE\n      98\n");
  const Deck deck = read_deck(root, {}, small_schema());
  EXPECT_EQ(node_ids(deck), (std::vector<GlobalId>{1, 2, 3, 4, 5})) << all_problems(deck);
  EXPECT_EQ(deck.files().size(), 4u);
  const Bulk& nodes = deck.bulk("NODE");
  EXPECT_NE(deck.place(nodes.file[1], nodes.line[1]).file.find("b.k"), std::string::npos);
}

TEST(Includes, SearchPathsAndContinuedNames) {
  const DeckFiles files;
  files.write("lib/one/x.k", "*NODE\n       1\n");
  files.write("sub/here/y.k", "*NODE\n       2\n");
  files.write("sub/a.k", "*INCLUDE_PATH_RELATIVE\nhere\n*INCLUDE\nx.k\ny.k\n");
  const std::string root = files.write("root.k", "*INCLUDE_PATH\nlib/no\n" + (files.root() / "li").string() +
                                                     " +\nb/one\n*INCLUDE\nsub +\n/a.k\n");
  const Deck deck = read_deck(root, {}, small_schema());
  EXPECT_EQ(node_ids(deck), (std::vector<GlobalId>{1, 2})) << all_problems(deck);
}

TEST(Includes, MissingCyclicAndEmptyOnesAreErrorsWithTheirPlace) {
  const DeckFiles files;
  files.write("a.k", "*KEYWORD\n*INCLUDE\nroot.k\n*NODE\n       1\n");
  const std::string root = files.write(
      "root.k",
      "*INCLUDE\nnowhere.k\na.k\n*INCLUDE\n*INCLUDE\n.\n*INCLUDE_TRANSFORM_BINARY\na.k\n*NODE\n       2\n");
  const Deck deck = read_deck(root, {}, small_schema());
  ASSERT_EQ(ids(deck), (Ids{"CR-D002", "CR-D003", "CR-D004", "CR-D002", "CR-D005"})) << all_problems(deck);
  EXPECT_EQ(deck.problems()[0].place.line, 2);
  EXPECT_EQ(deck.problems()[1].place.line, 3);
  EXPECT_NE(deck.problems()[1].place.file.find("a.k"), std::string::npos);
  EXPECT_NE(deck.problems()[1].text.find("->"), std::string::npos);
  EXPECT_EQ(node_ids(deck), (std::vector<GlobalId>{1, 2})) << "reading goes on";
}

TEST(Includes, LongFormatIsInheritedUnlessTheFileSaysOtherwise) {
  const DeckFiles files;
  files.write("long.k", "*CONTROL_TERMINATION\n                0.25                  10\n");
  files.write("short.k", "*KEYWORD LONG=N\n*SECTION_SHELL\n         1        16\n       1.5\n");
  const std::string root = files.write("root.k", "*KEYWORD LONG=Y\n*INCLUDE\nshort.k\nlong.k\n");
  const Deck deck = read_deck(root, {}, small_schema());
  EXPECT_EQ(deck.all("CONTROL_TERMINATION").at(0).records().at(0).integer("ENDCYC"), 10);
  EXPECT_EQ(deck.all("SECTION_SHELL").at(0).records().at(0).integer("ELFORM"), 16) << all_problems(deck);
}

TEST(Includes, LongSIsDecidedFileByFile) {
  const DeckFiles files;
  files.write("wide.k", "*CONTROL_TERMINATION\n                0.25                  10\n");
  files.write("standard.k", "*KEYWORD\n*SECTION_SHELL\n         1        16\n       1.5\n");
  const Deck deck =
      read_deck(files.write("root.k", "*KEYWORD LONG=S\n*INCLUDE\nwide.k\nstandard.k\n"), {}, small_schema());
  EXPECT_EQ(deck.all("CONTROL_TERMINATION").at(0).records().at(0).integer("ENDCYC"), 10);
  EXPECT_EQ(deck.all("SECTION_SHELL").at(0).records().at(0).integer("ELFORM"), 16) << all_problems(deck);
}

TEST(Includes, RootThatCannotBeReadThrows) {
  const DeckFiles files;
  try {
    read_deck((files.root() / "none.k").string(), {}, small_schema());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-D001");
    EXPECT_NE(error.place().file.find("none.k"), std::string::npos);
  }
  EXPECT_THROW(read_deck(files.root().string(), {}, small_schema()), Error);
  EXPECT_EQ(ids(read_deck(files.write("empty.k", ""), {}, small_schema())), Ids{});
  const Deck binary = read_deck(files.write("binary.k", std::string("PK\0\1", 4)), {}, small_schema());
  EXPECT_EQ(ids(binary), Ids{"CR-D006"});
}

TEST(Includes, FilesThatEndWithinALineAreNamed) {
  const DeckFiles files;
  const std::string root = files.write("root.k", "*KEYWORD\n*INCLUDE\nnodes.k\n*END");
  files.write("nodes.k", "*NODE\n       1             0.0             0.0             0.0\n       2     ");
  const Deck cut = read_deck(root, {}, small_schema());
  ASSERT_EQ(ids(cut), Ids{"CR-D010"}) << all_problems(cut);
  EXPECT_EQ(cut.problems()[0].severity, Severity::warning);
  EXPECT_NE(cut.problems()[0].place.file.find("nodes.k"), std::string::npos);
  EXPECT_EQ(cut.problems()[0].place.line, 3);
  for (const char* rest : {"", "*END", "*END\nleft over"}) {
    files.write("nodes.k", std::string("*NODE\n       1             0.0             0.0\n") + rest);
    EXPECT_EQ(ids(read_deck(root, {}, small_schema())), Ids{}) << rest;
  }
}

}  // namespace
}  // namespace crumple::deck
