// *CONTROL_MPP_DECOMPOSITION: the same directions as the pfile's words.
#include "decomposition/deck_cards.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace crumple::decomposition {

namespace {

struct ReadCards {
  std::string problems;
  Directions directions;
};

ReadCards read_text(const std::string& cards) {
  const auto path = std::filesystem::temp_directory_path() / "crumple_deck_cards.k";
  std::ofstream(path) << "*KEYWORD\n" << cards << "*END\n";
  const deck::Deck deck = deck::read_deck(path.string(), {});
  ReadCards result{"", read_cards(deck)};
  for (const deck::Problem& p : deck.problems()) result.problems += p.id + ": " + p.text + "\n";
  std::filesystem::remove(path);
  return result;
}

Vec3 moved(const Directions& d, Vec3 x) {
  for (const Transformation& t : d.transformations) x = t(x);
  return x;
}

}  // namespace

TEST(DeckCards, TransformationsActInTheirOrder) {
  const ReadCards r = read_text(R"(*CONTROL_MPP_DECOMPOSITION_TRANSFORMATION
SX,2.0
RZ,90.0
MAT,1.0,0.0,0.0,0.0,3.0,0.0
0.0,0.0,5.0
sy,10.0
)");
  EXPECT_EQ(r.problems, "");
  const Vec3 x = moved(r.directions, {1, 1, 1});
  const Vec3 same = moved(parse_pfile("decomp { sx 2 rz 90 mat 1 0 0 0 3 0 0 0 5 sy 10 }", "p"), {1, 1, 1});
  EXPECT_EQ(r.directions.transformations.size(), 4u);
  EXPECT_EQ(x, same);
}

TEST(DeckCards, RegionsOfPartsAndContacts) {
  const ReadCards r = read_text(R"(*CONTROL_MPP_DECOMPOSITION_CONTACT_ISOLATE
3,4
*CONTROL_MPP_DECOMPOSITION_PARTS_DISTRIBUTE
1,2,-9
*CONTROL_MPP_DECOMPOSITION_ARRANGE_PARTS
7,0,2
8,11
*CONTROL_MPP_DECOMPOSITION_NUMPROC
6
*CONTROL_MPP_DECOMPOSITION_SHOW
*CONTROL_MPP_DECOMPOSITION_METHOD
metis
)");
  EXPECT_EQ(r.problems, "");
  const auto& regions = r.directions.regions;
  ASSERT_EQ(regions.size(), 5u);
  EXPECT_EQ(regions[1].contacts, (std::vector<GlobalId>{4}));
  EXPECT_EQ(regions[1].ranks, 1);
  EXPECT_EQ(regions[2].parts, (std::vector<GlobalId>{1, 2}));
  EXPECT_EQ(regions[2].part_sets, (std::vector<GlobalId>{9}));
  EXPECT_EQ(regions[2].ranks, 0);
  EXPECT_EQ(regions[3].ranks, 2);
  EXPECT_EQ(regions[4].part_sets, (std::vector<GlobalId>{8}));
  EXPECT_EQ(regions[4].ranks, 1);
  EXPECT_EQ(r.directions.ranks, 6);
  EXPECT_TRUE(r.directions.show);
  EXPECT_EQ(r.directions.method, Method::metis);
}

TEST(DeckCards, PfilesInDecksKeepTheirLines) {
  const ReadCards r = read_text("*CONTROL_MPP_PFILE\ndecomp { silist 1,2\n rcblog x\n sy 3 }\n");
  EXPECT_EQ(r.directions.regions.at(0).contacts, (std::vector<GlobalId>{1, 2}));
  EXPECT_NE(r.problems.find(".k:4 rcblog"), std::string::npos) << r.problems;
  EXPECT_THROW(read_text("*CONTROL_MPP_PFILE\ndecomp { sx }\n"), Error);
}

TEST(DeckCards, ThePfileCountsBeforeTheDeck) {
  const Directions deck = parse_pfile("decomp { sx 2 silist 1 method metis numproc 4 }", "p");
  const Directions both = combine(parse_pfile("decomp { sy 2 silist 2 }", "p"), deck);
  EXPECT_EQ(both.transformations.size(), 1u);
  EXPECT_EQ(both.transformations[0](Vec3{1, 1, 1}), (Vec3{1, 2, 1}));
  EXPECT_EQ(both.regions.at(0).contacts, (std::vector<GlobalId>{2}));
  EXPECT_EQ(both.method, Method::metis);
  EXPECT_EQ(both.ranks, 4);
}

}  // namespace crumple::decomposition
