// How far neighbouring nodes have moved against each other since a sort: what bounds the change of a gap.
//
// Vehicles that drive at each other move by metres between them and hardly at all within each. So what tells
// which candidates need a look is the motion of a few dozen neighbours, not of the whole model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact {

/// Displacements of nodes since a sort, by blocks of successive ones.
class NeighbourMotion {
 public:
  static std::int32_t block_of(std::int32_t node) { return node / kNodes; }

  /// At a sort: where the nodes are.
  void start(std::span<const Vec3> x);
  /// Each cycle.
  void measure(std::span<const Vec3> x);
  std::size_t blocks() const { return box_.size(); }
  /// No two nodes of these blocks have come nearer to each other by more.
  double bound(std::span<const std::int32_t> blocks) const;

 private:
  static constexpr std::int32_t kNodes = 32;
  std::vector<Vec3> x_sorted_;
  std::vector<Box> box_;  ///< of the displacements of a block
};

}  // namespace crumple::contact
