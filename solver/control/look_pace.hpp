// The number of cycles until requests are checked again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace crumple::control {

/// For runs that show their progress by the clock. Other runs check every kMost cycles, so that their
/// messages depend only on the deck. Checks are half a second apart with slow cycles, and kMost cycles with
/// fast ones. Each check is a reduction over all ranks, so all must know its cycle: rank 0 computes it and
/// sends it to the others.
class LookPace {
 public:
  static constexpr std::int64_t kMost = 50;
  static constexpr double kSeconds = 0.5;

  /// Cycles until the next check, after one at `now`. At most twice as many as last time, because cycles may
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
