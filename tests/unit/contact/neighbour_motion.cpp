// The bound on how much nearer neighbours may have come in a step.
#include "contact/search/neighbour_motion.hpp"

#include <gtest/gtest.h>

namespace crumple::contact {

namespace {

/// Blocks of nodes along x; block b starts with node 16 b.
std::vector<Vec3> row() {
  std::vector<Vec3> x;
  for (int k = 0; k < 80; ++k) x.push_back({10.0 * k, 0.0, 0.0});
  return x;
}

double bound(const NeighbourMotion& motion, std::vector<std::int32_t> blocks) { return motion.bound(blocks); }

}  // namespace

TEST(NeighbourMotion, IsNoneOfNodesThatGoTheSameWay) {
  std::vector<Vec3> x = row();
  NeighbourMotion motion;
  motion.start(x);
  for (Vec3& p : x) p += {3.0, -1.0, 2.0};
  motion.measure(x);
  EXPECT_NEAR(bound(motion, {0, 1, 2}), 0.0, 1e-12);
}

TEST(NeighbourMotion, CountsWhatTheBlocksHoldAndNoOthers) {
  std::vector<Vec3> x = row();
  NeighbourMotion motion;
  motion.start(x);
  x[5] += {3.0, 0.0, 0.0};    // of the first block
  x[70] += {0.0, -4.0, 0.0};  // of the last one, which is not full
  motion.measure(x);
  ASSERT_EQ(NeighbourMotion::block_of(5), 0);
  ASSERT_EQ(NeighbourMotion::block_of(70), 4);
  EXPECT_NEAR(bound(motion, {0}), 3.0, 1e-9);
  EXPECT_EQ(bound(motion, {1}), 0.0);
  EXPECT_NEAR(bound(motion, {4}), 4.0, 1e-9);
  EXPECT_NEAR(bound(motion, {0, 4}), 5.0, 1e-9);
  EXPECT_GE(bound(motion, {0, 4}), norm(x[5] - x[70] - Vec3{-650.0, 0.0, 0.0}));
}

TEST(NeighbourMotion, IsThatOfOneStep) {
  std::vector<Vec3> x = row();
  NeighbourMotion motion;
  motion.start(x);
  x[5] += {3.0, 0.0, 0.0};
  motion.measure(x);
  x[5] -= {1.0, 0.0, 0.0};
  motion.measure(x);
  EXPECT_NEAR(bound(motion, {0, 4}), 1.0, 1e-9);
}

TEST(NeighbourMotion, StartsAgainAtTheNextSort) {
  std::vector<Vec3> x = row();
  NeighbourMotion motion;
  motion.start(x);
  x[0] += {1.0, 0.0, 0.0};
  motion.measure(x);
  motion.start(x);
  motion.measure(x);
  EXPECT_EQ(bound(motion, {0, 1, 2}), 0.0);
}

}  // namespace crumple::contact
