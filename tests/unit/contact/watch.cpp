// Whether a node and the segments next to it have moved so far that it may touch.
#include "contact/force/watch.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace crumple::contact {

TEST(Watch, IsPassedWhereARelativeMotionReachesTheLeastRoom) {
  std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {2, 1, 0}};
  const Vec3 point{0.5, 0.5, 1.0};
  Watch watch;
  EXPECT_FALSE(watch.on());
  watch.start(7, point);
  EXPECT_FALSE(watch.on());
  ASSERT_TRUE(watch.add({0, 1, 2, 3}, 0.4, x.data()));
  ASSERT_TRUE(watch.add({1, 4, 5, 2}, 0.2, x.data()));
  EXPECT_TRUE(watch.on());
  EXPECT_FALSE(watch.passed(point, x.data(), 0.0));
  EXPECT_FALSE(watch.passed(point + Vec3{0, 0, -0.19}, x.data(), 0.0));
  EXPECT_TRUE(watch.passed(point + Vec3{0, 0, -0.21}, x.data(), 0.0));
  for (Vec3& p : x) p += {5, 6, 7};
  EXPECT_FALSE(watch.passed(point + Vec3{5, 6, 7}, x.data(), 0.0)) << "a common motion";
  x[5] += {0, 0.3, 0};
  EXPECT_TRUE(watch.passed(point + Vec3{5, 6, 7}, x.data(), 0.0)) << "of the segments to each other";
  watch.end();
  EXPECT_FALSE(watch.on());
}

TEST(Watch, SleepsUntilItsClusterMayHaveUsedUpTheRest) {
  std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const Vec3 point{0.5, 0.5, 1.0};
  Watch watch;
  watch.start(0, point);
  ASSERT_TRUE(watch.add({0, 1, 2, 3}, 0.5, x.data()));
  EXPECT_FALSE(watch.sleeps(3.0)) << "not looked at so far";
  EXPECT_FALSE(watch.passed(point + Vec3{0, 0, -0.2}, x.data(), 3.0));
  EXPECT_TRUE(watch.sleeps(3.29));
  EXPECT_FALSE(watch.sleeps(3.31));
  watch.start(0, point);
  EXPECT_FALSE(watch.sleeps(3.0));
}

TEST(Watch, HasPlaceForThreeSegments) {
  std::vector<Vec3> x(16);
  Watch watch;
  watch.start(0, {});
  for (std::int32_t k = 0; k < 3; ++k)
    EXPECT_TRUE(watch.add({4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3}, 1.0, x.data()));
  EXPECT_FALSE(watch.add({11, 12, 13, 14}, 0.1, x.data()));
  EXPECT_TRUE(watch.add({3, 4, 5, 6}, 0.5, x.data())) << "all of them are there";
  x[0] = {0.3, 0, 0};
  EXPECT_FALSE(watch.passed({}, x.data(), 0.0)) << "the room of what was not taken does not count";
}

}  // namespace crumple::contact
