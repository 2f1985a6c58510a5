// Sends copies of segments to every rank whose tracked nodes they may touch.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/search/bucket_grid.hpp"
#include "contact/search/segments.hpp"
#include "parallel/communicator.hpp"

namespace crumple::contact {

/// A segment as a message, with the data of its nodes.
struct SegmentMessage {
  SegmentRecord record;
  std::int32_t pass = 0;
  std::array<Vec3, 4> x{};
  std::array<double, 4> mass{}, force_scale{};
};
CRUMPLE_MEMBERS(SegmentMessage, record, pass, x, mass, force_scale)

/// Positions of each rank's tracked nodes: a coarse grid over all nodes, one bit per cell and rank.
class NodeMap {
 public:
  /// Collective. `points` are this rank's live tracked nodes.
  NodeMap(const parallel::Communicator& comm, std::span<const Vec3> points);

  /// Append to `ranks` (ascending, each once) the other ranks with nodes in cells that the box overlaps.
  void ranks_near(const Box& box, std::vector<int>& ranks) const;
  const Box& bounds() const { return cells_.box(); }

 private:
  int me_;
  CellRange cells_;
  std::vector<std::int32_t> begin_, rank_;  ///< ranks by cell
};

}  // namespace crumple::contact
