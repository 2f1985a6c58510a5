// When switch sets act: their tests, windows, delays and pairs.
//
// A set alone acts once. Of a pair, the first set acts first, then the second; after that the first one
// again, and so on. A set that tests the time acts once in any case, because its test would hold for ever.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/members.hpp"
#include "constraints/switched_parts/switch_set.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::constraints {

/// Of one set, as it is archived.
struct SwitchSetState {
  std::int64_t armed = 1;    ///< it may act
  std::int64_t acted = 0;    ///< it has done so
  std::int64_t touched = 0;  ///< its wall or contact had a force in the last step
  std::int64_t known = 0;    ///< a step has been measured
};
CRUMPLE_MEMBERS(SwitchSetState, armed, acted, touched, known)

class SwitchTimes {
 public:
  /// Keeps a reference.
  explicit SwitchTimes(std::span<const SwitchSet> sets);

  /// Whether a set's force is needed at `time`, so that it may act in the next step.
  bool waits_for_force(std::size_t set, double time) const;
  /// Whether the set's wall or contact had a force in the step from `time` on.
  void take_force(std::size_t set, bool touched);
  /// The sets that act at `time`, in the order of the deck.
  std::vector<std::size_t> due(double time);

  void archive(state::Archive& archive);

 private:
  bool holds(std::size_t set, double time) const;

  std::span<const SwitchSet> sets_;
  std::vector<std::int64_t> partner_;  ///< of each set, -1: none
  std::vector<SwitchSetState> states_;
  double held_until_ = -1.0;  ///< by delays
};

}  // namespace crumple::constraints
