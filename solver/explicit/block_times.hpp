// What blocks of elements cost now, measured: elements that yield take longer, and where they do changes.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "explicit/block_shares.hpp"

namespace crumple::explicit_dynamics {

/// The least processor seconds that blocks took since shares were last judged, in one cycle of eight: the
/// least, as what else the machine does makes one thread slower, then another, and must not move blocks to
/// and fro. Threads may add at once, to different blocks.
class BlockTimes {
 public:
  /// @param blocks of each group
  explicit BlockTimes(std::span<const std::int32_t> blocks);

  /// A cycle begins; whether its blocks are to be measured.
  bool begin_cycle();
  /// Whether it is time to judge shares, and to cut them anew: sooner in the beginning, as shares by
  /// formulation alone are the worst.
  bool complete() const {
    return cycle_ % kPeriod == 0 ||
           (cycle_ >= kFirst && std::has_single_bit(static_cast<std::uint64_t>(cycle_)));
  }
  /// Blocks [begin, end) of a group, the same until shares are cut anew, took so long together.
  void add(std::size_t group, std::int32_t begin, std::int32_t end, double seconds);

  /// By group and block.
  const std::vector<std::vector<double>>& seconds() const { return seconds_; }
  /// What the slowest thread needs over the mean.
  double unevenness(const BlockShares& shares) const;

 private:
  static constexpr std::int64_t kFirst = 32, kPeriod = 256, kEach = 8;  ///< cycles

  std::int64_t cycle_ = 0;
  std::vector<std::vector<double>> seconds_;
};

}  // namespace crumple::explicit_dynamics
