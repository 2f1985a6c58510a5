// The measured cost of blocks of elements: yielding elements take longer, and they change during the run.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "explicit/block_shares.hpp"

namespace crumple::explicit_dynamics {

/// The smallest processor time of each block since shares were last checked, measured in one cycle of eight.
/// The smallest, because other load on the machine slows down one thread, then another, and must not move
/// blocks back and forth. Threads may add concurrently, to different blocks.
class BlockTimes {
 public:
  /// @param blocks number of blocks of each group
  explicit BlockTimes(std::span<const std::int32_t> blocks);

  /// Begins a cycle; returns whether its blocks are to be measured.
  bool begin_cycle();
  /// Whether it is time to check shares and to change them: sooner at the beginning, because shares from the
  /// costs of formulations are the worst.
  bool complete() const {
    return cycle_ % kPeriod == 0 ||
           (cycle_ >= kFirst && std::has_single_bit(static_cast<std::uint64_t>(cycle_)));
  }
  /// Add the time that blocks [begin, end) of a group took together. The range is the same until shares
  /// change.
  void add(std::size_t group, std::int32_t begin, std::int32_t end, double seconds);

  /// By group and block.
  const std::vector<std::vector<double>>& seconds() const { return seconds_; }
  /// Time of the slowest thread over the mean.
  double unevenness(const BlockShares& shares) const;

 private:
  static constexpr std::int64_t kFirst = 32, kPeriod = 256, kEach = 8;  ///< cycles

  std::int64_t cycle_ = 0;
  std::vector<std::vector<double>> seconds_;
};

}  // namespace crumple::explicit_dynamics
