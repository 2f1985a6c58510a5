// The bound on how much nearer neighbours may have come in a step, on every instruction set.
#include "contact/search/neighbour_motion.hpp"

#include <gtest/gtest.h>

namespace crumple::contact {

namespace {

/// Nodes along x; block b starts with node 16 b. Those from 75 on are copies of other ranks' nodes.
class NeighbourMotionOn : public testing::TestWithParam<int> {
 protected:
  NeighbourMotionOn() {
    for (int k = 0; k < 83; ++k) x.push_back({10.0 * k, 0.0, 0.0});
    from.assign(x.rbegin(), x.rend());  // in another order
    for (int k = 0; k < kLocal; ++k) local.push_back(82 - k);
    motion.start(x, kLocal);
  }
  Vec3& at(int k) { return k < kLocal ? from[82 - k] : x[k]; }
  void move(int k, const Vec3& u) { at(k) += u; }
  void advance() { motion.advance(from.data(), local, x); }
  double bound(std::vector<std::int32_t> blocks) const { return motion.bound(blocks); }

  static constexpr int kLocal = 75;
  AlignedVector<Vec3> x, from;
  std::vector<LocalId> local;
  NeighbourMotion motion{static_cast<elements::Isa>(GetParam())};
};

TEST_P(NeighbourMotionOn, IsNoneOfNodesThatGoTheSameWay) {
  for (int k = 0; k < 83; ++k) move(k, {3.0, -1.0, 2.0});
  advance();
  EXPECT_NEAR(bound({0, 1, 2, 3, 4, 5}), 0.0, 1e-12);
}

TEST_P(NeighbourMotionOn, SetsPositions) {
  for (int k = 0; k < kLocal; ++k) move(k, {1.0 * k, 2.0, -1.0 * k});
  advance();
  for (int k = 0; k < kLocal; ++k) EXPECT_TRUE(x[k] == (Vec3{11.0 * k, 2.0, -1.0 * k})) << k;
  EXPECT_TRUE(x[kLocal] == (Vec3{750.0, 0.0, 0.0}));
}

TEST_P(NeighbourMotionOn, CountsWhatTheBlocksHoldAndNoOthers) {
  move(5, {3.0, 0.0, 0.0});    // of the first block
  move(70, {0.0, -4.0, 0.0});  // of one that also has copies
  advance();
  ASSERT_EQ(NeighbourMotion::block_of(5), 0);
  ASSERT_EQ(NeighbourMotion::block_of(70), 4);
  EXPECT_NEAR(bound({0}), 3.0, 1e-9);
  EXPECT_EQ(bound({1}), 0.0);
  EXPECT_NEAR(bound({4}), 4.0, 1e-9);
  EXPECT_NEAR(bound({0, 4}), 5.0, 1e-9);
  EXPECT_GE(bound({0, 4}), norm(x[5] - x[70] - Vec3{-650.0, 0.0, 0.0}));
}

TEST_P(NeighbourMotionOn, CountsCopies) {
  move(74, {1.0, 0.0, 0.0});  // the last of this rank's
  move(75, {0.0, 2.0, 0.0});
  move(82, {0.0, 0.0, 5.0});
  advance();
  EXPECT_NEAR(bound({4}), std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(bound({5}), 5.0, 1e-9);
  advance();
  EXPECT_EQ(bound({4, 5}), 0.0);
}

TEST_P(NeighbourMotionOn, IsThatOfOneStep) {
  move(5, {3.0, 0.0, 0.0});
  advance();
  move(5, {-1.0, 0.0, 0.0});
  advance();
  EXPECT_NEAR(bound({0, 4}), 1.0, 1e-9);
}

TEST_P(NeighbourMotionOn, StartsAgainAtTheNextSort) {
  move(0, {1.0, 0.0, 0.0});
  advance();
  motion.start(x, kLocal);
  advance();
  EXPECT_EQ(bound({0, 1, 2}), 0.0);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, NeighbourMotionOn,
                         testing::Range(0, static_cast<int>(elements::best_isa()) + 1));

}  // namespace
}  // namespace crumple::contact
