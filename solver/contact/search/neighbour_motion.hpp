// Relative motion of neighbouring nodes in a step, a bound of the change of a gap.
//
// Two vehicles that approach each other move by metres relative to each other, but hardly within each
// vehicle. So the relative motion of a few dozen neighbours decides which candidates must be tested, not that
// of the whole model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact {

/// Displacements in the last step, by blocks of consecutive nodes.
class NeighbourMotion {
 public:
  static std::int32_t block_of(std::int32_t node) { return node / kNodes; }

  /// To be called at a sort, with the positions of nodes.
  void start(std::span<const Vec3> x);
  /// To be called in each cycle: displacements since the last call, or since `start`.
  void measure(std::span<const Vec3> x);
  std::size_t blocks() const { return box_.size(); }
  /// Upper bound of the decrease of distance between any two nodes of these blocks between the last two
  /// positions. So the sum over cycles bounds it from any cycle to any later one.
  double bound(std::span<const std::int32_t> blocks) const;

 private:
  static constexpr std::int32_t kNodes = 16;
  std::vector<Vec3> x_before_;
  std::vector<Box> box_;  ///< box of the displacements of a block
};

}  // namespace crumple::contact
