// Corners of shells as decks give them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "base/types.hpp"

namespace crumple::model {

/// Moves repeated corners of a shell to the end: n3 = n4 for a triangle. False for fewer than three corners.
inline bool order_corners(std::array<GlobalId, 4>& n) {
  if (n[3] == 0) n[3] = n[2];
  std::array<GlobalId, 4> kept{};
  std::size_t count = 0;
  for (const GlobalId a : n)
    if (std::find(kept.begin(), kept.begin() + count, a) == kept.begin() + count) kept[count++] = a;
  if (count < 3 || n[0] == n[2] || n[1] == n[3]) return false;
  if (count == 3) n = {kept[0], kept[1], kept[2], kept[2]};
  return true;
}

/// The offset of shells without one of their own, until all are read.
inline constexpr double kNoOffset = std::numeric_limits<double>::quiet_NaN();

}  // namespace crumple::model
