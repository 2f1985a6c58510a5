// After how many cycles to look for requests again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace crumple::control {

/// For runs that show their progress by the clock; the others look every kMost cycles, so that what they send
/// depends on nothing but the deck. Looks are half a second apart where cycles are slow, and kMost cycles
/// where they are fast: each is a reduction over all ranks, so its cycle must be known to all. Kept by rank
/// 0, which tells the others.
class LookPace {
 public:
  static constexpr std::int64_t kMost = 50;
  static constexpr double kSeconds = 0.5;

  /// Cycles until the next look, after one at `now`. At most twice as many as the last time, as cycles may
  /// become slower.
  std::int64_t next(std::chrono::steady_clock::time_point now) {
    const double passed = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    const double each = passed / static_cast<double>(cycles_);
    const double fit = each > 0.0 ? kSeconds / each : static_cast<double>(kMost);
    const auto most = std::min(kMost, 2 * cycles_);
    cycles_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(fit, 1e6)), 1, most);
    return cycles_;
  }

 private:
  std::int64_t cycles_ = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace crumple::control
