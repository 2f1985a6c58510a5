// The nearest shell of a stamped sheet.
#include <gtest/gtest.h>

#include "springback/stamped_part.hpp"

namespace crumple::springback {
namespace {

TEST(StampedSheet, DistanceToEveryPartOfATriangle) {
  const std::array<Vec3, 3> t{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 3, 0}};
  EXPECT_DOUBLE_EQ(distance_to_triangle({1, 1, 2}, t), 2.0) << "face";
  EXPECT_DOUBLE_EQ(distance_to_triangle({-3, -4, 0}, t), 5.0) << "corner";
  EXPECT_DOUBLE_EQ(distance_to_triangle({7, 0, 4}, t), 5.0);
  EXPECT_DOUBLE_EQ(distance_to_triangle({0, 7, 3}, t), 5.0);
  EXPECT_DOUBLE_EQ(distance_to_triangle({2, -2, 0}, t), 2.0) << "edge";
  EXPECT_DOUBLE_EQ(distance_to_triangle({-1, 1, 0}, t), 1.0);
  EXPECT_NEAR(distance_to_triangle({2 + 3, 1.5 + 4, 0}, t), 5.0, 1e-12) << "the slope";
}

/// n by n squares in the plane z = 0, numbers from 1, x fastest.
StampedSheet squares(int n) {
  std::vector<StampedShell> shells;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      StampedShell& s = shells.emplace_back();
      s.id = n * j + i + 1;
      const double x = i, y = j;
      s.x = {Vec3{x, y, 0}, Vec3{x + 1, y, 0}, Vec3{x + 1, y + 1, 0}, Vec3{x, y + 1, 0}};
      s.normal = {0, 0, 1};
    }
  return StampedSheet(std::move(shells));
}

TEST(StampedSheet, FindsTheNearestShell) {
  const StampedSheet sheet = squares(9);
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) {
      const StampedShell* const found = sheet.nearest({i + 0.3, j + 0.8, 0.7}, 20.0);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->id, 9 * j + i + 1);
    }
  ASSERT_NE(sheet.nearest({-12.0, 4.5, 0.0}, 20.0), nullptr);
  EXPECT_EQ(sheet.nearest({-12.0, 4.5, 0.0}, 20.0)->id, 37);
  EXPECT_EQ(sheet.nearest({-12.0, 4.5, 0.0}, 11.9), nullptr);
  EXPECT_EQ(sheet.nearest({3.0, 3.0, 1.0}, 2.0)->id, 21) << "the lowest number of four";
  EXPECT_EQ(sheet.nearest({4.5, 4.5, 30.0}, 20.0), nullptr);
}

}  // namespace
}  // namespace crumple::springback
