// When blocks are measured, and how uneven the shares are.
#include "explicit/block_times.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::explicit_dynamics {

BlockTimes::BlockTimes(std::span<const std::int32_t> blocks) {
  for (const std::int32_t n : blocks) seconds_.emplace_back(n, HUGE_VAL);
}

bool BlockTimes::begin_cycle() {
  if (complete())
    for (std::vector<double>& of_group : seconds_) std::ranges::fill(of_group, HUGE_VAL);
  return ++cycle_ % kEach == 0;
}

void BlockTimes::add(std::size_t group, std::int32_t begin, std::int32_t end, double seconds) {
  for (std::int32_t b = begin; b < end; ++b)
    seconds_[group][b] = std::min(seconds_[group][b], seconds / (end - begin));
}

double BlockTimes::unevenness(const BlockShares& shares) const {
  double total = 0.0, most = 0.0;
  for (const std::vector<BlockRange>& of_thread : shares.of_thread) {
    double sum = 0.0;
    for (const BlockRange& range : of_thread)
      for (std::int32_t b = range.begin; b < range.end; ++b) sum += seconds_[range.group][b];
    total += sum;
    most = std::max(most, sum);
  }
  return total > 0.0 ? most * static_cast<double>(shares.of_thread.size()) / total : 1.0;
}

}  // namespace crumple::explicit_dynamics
