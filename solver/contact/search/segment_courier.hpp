// Brings copies of segments to every rank whose tracked nodes they may touch.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/search/bucket_grid.hpp"
#include "contact/search/segments.hpp"
#include "parallel/communicator.hpp"

namespace crumple::contact {

/// A segment as it travels, with what its nodes need there.
struct SegmentMessage {
  SegmentRecord record;
  std::int32_t pass = 0;
  std::array<Vec3, 4> x{};
  std::array<double, 4> mass{}, force_scale{};
};
CRUMPLE_MEMBERS(SegmentMessage, record, pass, x, mass, force_scale)

/// Where each rank's tracked nodes are: a coarse grid over all of them, one bit a cell and rank.
class NodeMap {
 public:
  /// Collective. `points` are this rank's live tracked nodes.
  NodeMap(const parallel::Communicator& comm, std::span<const Vec3> points);

  /// Append to `ranks` (ascending, each once) those with nodes in cells that the box reaches; this one is
  /// left out.
  void ranks_near(const Box& box, std::vector<int>& ranks) const;
  const Box& bounds() const { return cells_.box(); }

 private:
  int me_;
  CellRange cells_;
  std::vector<std::int32_t> begin_, rank_;  ///< ranks by cell
};

}  // namespace crumple::contact
