// Shares of blocks: each block once, and no two threads add to the sums of one node at once.
#include "explicit/block_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "explicit/block_times.hpp"

namespace crumple::explicit_dynamics {
namespace {

using Group = state::ElementGroup<double>;
constexpr int kColumns = 40, kRows = 30;

/// Shells of a plate, `first` to `last` row of elements.
Group plate(int first, int last) {
  Group group;
  group.ready.formulation = elements::find_formulation(model::ElementKind::shell, 2);
  group.count = kColumns * (last - first);
  group.nodes.resize(static_cast<std::size_t>(group.blocks()) * 4 * elements::kLanes);
  for (std::int32_t lane = 0; lane < group.blocks() * elements::kLanes; ++lane) {
    const int e = std::min(lane, group.count - 1), row = first + e / kColumns, column = e % kColumns;
    const int corner = row * (kColumns + 1) + column;
    const std::array<int, 4> nodes{corner, corner + 1, corner + kColumns + 2, corner + kColumns + 1};
    for (int a = 0; a < 4; ++a) group.nodes[Group::at(lane, a, 4)] = nodes[a];
  }
  return group;
}

/// Two parts, and the first row, which touches another rank.
struct Plate {
  std::vector<Group> groups{plate(0, 1), plate(1, 12), plate(12, kRows)};
  Plate() { groups[0].border = true; }
  static constexpr std::size_t kNodes = (kColumns + 1) * (kRows + 1);

  std::set<std::int32_t> nodes(const BlockRange& range) const {
    const auto& all = groups[range.group].nodes;
    return {all.begin() + range.begin * 4 * elements::kLanes, all.begin() + range.end * 4 * elements::kLanes};
  }
};

TEST(BlockShares, HaveEveryBlockOnceAndNoNodeOfTwoThreads) {
  const Plate plate;
  for (const int threads : {1, 2, 3, 7}) {
    std::map<std::pair<std::size_t, std::int32_t>, int> seen;
    for (const bool border : {true, false}) {
      const BlockShares shares = share_blocks<double>(plate.groups, border, Plate::kNodes, threads);
      ASSERT_EQ(shares.of_thread.size(), static_cast<std::size_t>(threads));
      std::map<std::int32_t, int> thread_at;  // that adds to the rank's sums
      for (int thread = 0; thread < threads; ++thread)
        for (const BlockRange& range : shares.of_thread[thread]) {
          EXPECT_EQ(plate.groups[range.group].border, border);
          for (std::int32_t b = range.begin; b < range.end; ++b) ++seen[{range.group, b}];
          EXPECT_FALSE(range.apart && thread == 0);
          for (const std::int32_t n : plate.nodes(range)) {
            if (range.apart)
              EXPECT_TRUE(std::ranges::binary_search(shares.joined, n));
            else
              EXPECT_EQ(thread_at.try_emplace(n, thread).first->second, thread);
          }
        }
    }
    EXPECT_EQ(seen.size(), std::accumulate(plate.groups.begin(), plate.groups.end(), std::size_t{0},
                                           [](std::size_t sum, const Group& g) { return sum + g.blocks(); }));
    for (const auto& [block, times] : seen) EXPECT_EQ(times, 1);
  }
}

TEST(BlockShares, OfThreadsAreAlikeAndMostlyAddToTheSumsAtOnce) {
  const Plate plate;
  const BlockShares shares = share_blocks<double>(plate.groups, false, Plate::kNodes, 2);
  std::array<int, 2> blocks{};
  int apart = 0;
  for (int thread = 0; thread < 2; ++thread)
    for (const BlockRange& range : shares.of_thread[thread]) {
      blocks[thread] += range.end - range.begin;
      apart += range.apart ? range.end - range.begin : 0;
    }
  EXPECT_NEAR(blocks[0], blocks[1], 1);
  EXPECT_LE(apart, 4);  // a row of elements is two and a half blocks
}

/// Elements of one end yield and take three times as long.
TEST(BlockShares, AreCutAnewByMeasuredTimes) {
  const Plate plate;
  std::vector<std::int32_t> blocks;
  for (const Group& group : plate.groups) blocks.push_back(group.blocks());
  BlockTimes times(blocks);
  const BlockShares by_formulation = share_blocks<double>(plate.groups, false, Plate::kNodes, 2);
  int measured_cycles = 0;
  do {
    const bool is_measured = times.begin_cycle();
    const double slow = is_measured && ++measured_cycles % 3 == 0 ? 5.0 : 1.0;  // other work on the machine
    for (std::size_t g = 1; is_measured && g < blocks.size(); ++g)
      times.add(g, 0, blocks[g], (g == 1 ? slow : 3.0) * blocks[g]);
  } while (!times.complete());
  EXPECT_EQ(measured_cycles, 4);
  EXPECT_DOUBLE_EQ(times.seconds()[1][0], 1.0);
  EXPECT_DOUBLE_EQ(times.seconds()[2][0], 3.0);
  EXPECT_GT(times.unevenness(by_formulation), 1.2);
  const BlockShares measured = share_blocks<double>(plate.groups, false, Plate::kNodes, 2, times.seconds());
  EXPECT_LT(times.unevenness(measured), 1.02 + 3.0 / blocks[2]);
  std::int32_t all = 0;
  for (const auto& of_thread : measured.of_thread)
    for (const BlockRange& range : of_thread) all += range.end - range.begin;
  EXPECT_EQ(all, blocks[1] + blocks[2]);
}

TEST(BlockShares, AreJudgedSoonerInTheBeginning) {
  BlockTimes times(std::vector<std::int32_t>{1});
  std::vector<int> judged;
  for (int cycle = 1; cycle <= 800; ++cycle) {
    times.begin_cycle();
    if (times.complete()) judged.push_back(cycle);
  }
  EXPECT_EQ(judged, (std::vector{32, 64, 128, 256, 512, 768}));
}

}  // namespace
}  // namespace crumple::explicit_dynamics
