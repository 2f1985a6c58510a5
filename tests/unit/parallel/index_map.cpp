// Who owns what, who else has it, and what is left of a map for some of its items.
#include "parallel/index_map.hpp"

#include <gtest/gtest.h>

#include "base/packing.hpp"

namespace crumple::parallel {
namespace {

/// Rank 1 of three: owns items 1 and 3, shares 0 and 1 with rank 0, 0, 2 and 3 with rank 2.
IndexMap middle() { return IndexMap({1, {7, 4, 9, 5}, {0, 1, 2, 1}, {0, 2}, {{1, 0}, {0, 3, 2}}}); }

TEST(IndexMap, KnowsOwnersAndCopies) {
  const IndexMap map = middle();
  EXPECT_EQ(map.size(), 4u);
  EXPECT_EQ(map.n_owned(), 2u);
  EXPECT_EQ(map.owned(), (std::vector<LocalId>{1, 3}));
  EXPECT_TRUE(map.owns(3));
  EXPECT_EQ(map.owner(2), 2);
  EXPECT_EQ(map.copies(), (std::vector<int>{3, 2, 2, 2}));
  EXPECT_EQ(map.shared_mask(), (std::vector<char>{1, 1, 1, 1}));
  EXPECT_EQ(map.global()[2], 9);
}

TEST(IndexMap, SomeOfItKeepsTheOrderOfBothSides) {
  const IndexMap some = middle().narrowed(std::vector<std::int32_t>{-1, 1, -1, 0});
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some.neighbours().size(), 2u);
  EXPECT_EQ(some.shared()[0], (std::vector<LocalId>{1}));
  EXPECT_EQ(some.shared()[1], (std::vector<LocalId>{0}));
  EXPECT_EQ(some.global()[0], 5);
  EXPECT_EQ(some.n_owned(), 2u);
  const IndexMap one = middle().narrowed(std::vector<std::int32_t>{-1, 0, -1, -1});
  EXPECT_EQ(one.neighbours().size(), 1u);
}

TEST(IndexMap, Travels) {
  const IndexMap map = middle();
  const IndexMap copy(Unpacker(pack(map.parts())).take<IndexMap::Parts>());
  EXPECT_EQ(copy.shared(), map.shared());
  EXPECT_EQ(copy.copies(), map.copies());
  EXPECT_EQ(copy.rank(), 1);
}

TEST(IndexMap, AloneHasNoNeighbours) {
  const IndexMap map = IndexMap::alone(3);
  EXPECT_TRUE(map.neighbours().empty());
  EXPECT_EQ(map.n_owned(), 3u);
  EXPECT_EQ(map.shared_mask(), (std::vector<char>{0, 0, 0}));
}

#ifdef CRUMPLE_AUDIT  // unit_audited
TEST(IndexMapDeathTest, RefusesWhatIsNotSound) {
  EXPECT_DEATH(IndexMap({1, {7, 4}, {1, 0}, {}, {}}), "is_sound");        // of rank 0, but not shared with it
  EXPECT_DEATH(IndexMap({1, {7}, {1}, {1}, {{0}}}), "is_sound");          // its own neighbour
  EXPECT_DEATH(IndexMap({1, {7}, {1}, {2, 0}, {{0}, {0}}}), "is_sound");  // not ascending
  EXPECT_DEATH(IndexMap::alone(3).narrowed(std::vector<std::int32_t>{-1, 5, 0}), "place\\[i\\]");
}
#endif

}  // namespace
}  // namespace crumple::parallel
