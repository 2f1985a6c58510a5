// Rows of belts of shells: sides along the belt, shares of the width, and what is no belt.
#include "loads/belts/shell_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace crumple::loads {
namespace {

/// `along` by 2 elements, rows at y = 0, 1 and 4: nodes 3 i + j; the elements begin at another corner in
/// turn.
struct Grid {
  std::vector<ShellRows::Corners> quads;
  std::vector<Vec3> x;

  explicit Grid(int along) {
    const double y[3] = {0, 1, 4};
    for (int i = 0; i <= along; ++i)
      for (const double at : y) x.push_back({10.0 * i, at, 0});
    for (int i = 0; i < along; ++i)
      for (int j = 0; j < 2; ++j) {
        const LocalId n = 3 * i + j;
        ShellRows::Corners q{n, n + 3, n + 4, n + 1};
        std::rotate(q.begin(), q.begin() + i % 4, q.end());
        quads.push_back(q);
      }
  }
};

TEST(ShellRows, FollowABeltFromAnyOfItsEdges) {
  const Grid grid(5);
  for (const LocalId first : {0, 6, 15}) {
    ShellRows rows(grid.quads);
    const std::vector<LocalId> edge{first + 2, first, first + 1};
    EXPECT_EQ(rows.follow(edge, grid.x), "");
    EXPECT_EQ(rows.follow(std::vector<LocalId>{3, 4, 5}, grid.x), "") << "known already";
    ASSERT_EQ(rows.belts().size(), 1u);
    const ShellRows::Belt& belt = rows.belts()[0];
    EXPECT_DOUBLE_EQ(belt.width, 4);
    EXPECT_EQ(belt.gap, (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(belt.share, (std::vector<double>{0.125, 0.5, 0.375}));
    ASSERT_EQ(rows.sides().size(), 15u);
    for (const ShellRows::Side& side : rows.sides()) {
      EXPECT_EQ(std::abs(side.first - side.second), 3);
      EXPECT_EQ(side.first % 3, side.row);
      EXPECT_EQ(side.quads.size(), side.row == 1 ? 2u : 1u);
    }
    for (std::size_t q = 0; q < grid.quads.size(); ++q) {
      EXPECT_EQ(rows.quads()[q].across, (q / 2) % 2 == 1);
      EXPECT_EQ(rows.quads()[q].gap, static_cast<int>(q % 2));
    }
  }
}

TEST(ShellRows, AreApartForTwoBelts) {
  Grid grid(2);
  const Grid other(1);
  for (ShellRows::Corners q : other.quads) {
    for (LocalId& n : q) n += 9;
    grid.quads.push_back(q);
  }
  grid.x.insert(grid.x.end(), other.x.begin(), other.x.end());
  ShellRows rows(grid.quads);
  EXPECT_EQ(rows.follow(std::vector<LocalId>{0, 1, 2}, grid.x), "");
  EXPECT_EQ(rows.quads().back().belt, -1);
  EXPECT_EQ(rows.follow(std::vector<LocalId>{9, 10, 11}, grid.x), "");
  EXPECT_EQ(rows.quads().back().belt, 1);
}

TEST(ShellRows, SayWhatIsNoBelt) {
  const Grid grid(3);
  EXPECT_NE(ShellRows(grid.quads).follow(std::vector<LocalId>{}, grid.x), "");
  EXPECT_NE(ShellRows(grid.quads).follow(std::vector<LocalId>{0, 2}, grid.x), "");
  EXPECT_NE(ShellRows(grid.quads).follow(std::vector<LocalId>{0, 1, 4, 3}, grid.x), "") << "a ring of sides";
  EXPECT_NE(ShellRows(grid.quads).follow(std::vector<LocalId>{1, 0, 3}, grid.x), "") << "round a corner";
}

}  // namespace
}  // namespace crumple::loads
