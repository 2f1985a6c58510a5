// The parts of a ContactSystem; for its own source files only.
#pragma once

#include "contact/contact_system.hpp"
#include "contact/edges/line_contact.hpp"
#include "contact/force/slot_pool.hpp"
#include "contact/segment_based/segment_points.hpp"

namespace crumple::contact {

struct ContactSystem::Side {
  std::int32_t contact = 0;
  std::vector<SegmentRecord> segments;
  std::vector<TrackedNode> nodes;    ///< ascending user id
  double mean_size = 0.0;            ///< mean size of segments, over all ranks; 0 without segments
  std::vector<SegmentShare> shares;  ///< with SOFT = 2, one per tracked node
  // SOFT = 2: a side that consists of points on the segments of another side
  std::int32_t base = -1;            ///< that other side, index into sides_
  std::vector<SegmentPoint> points;  ///< one per tracked "node"; the node's id is that of its point

  std::vector<GlobalId> neighbours;  ///< see TrackedNode

  /// Set the neighbours of a tracked node, or of a segment's point: those of the item with the key `one`.
  void set_neighbours(TrackedNode& node, GlobalId one, std::span<const model::Neighbours> all);
  bool has_points() const { return base >= 0; }
  Vec3 position(std::size_t tracked, const state::Nodal& nodal) const {
    return has_points() ? points[tracked].of(nodal.x) : nodal.x[nodes[tracked].node];
  }
};

/// Consecutive nodes of candidate lists that are evaluated together; those of cluster c begin at c *
/// kClusterNodes.
struct NodeCluster {
  std::int32_t blocks_begin = 0, blocks_end = 0;  ///< of NeighbourMotion, for the nodes and their candidates
  float least_gap = 0.0F;
  bool touching = true;  ///< some nodes may have touched in the last cycle
};
inline constexpr std::size_t kClusterNodes = 32;

struct ContactSystem::Due {
  struct Node {
    std::int32_t tracked;
    NodeView view;
  };
  std::vector<Node> nodes;
  NearSegments near;
  Workspace workspace;
  NodeSlots fresh;  ///< for a node without contacts so far
};

struct ContactSystem::Pass {
  std::int32_t contact = 0;
  std::int32_t node_side = 0, segment_side = 0;  ///< into sides_
  bool of_b = false;                             ///< tracks nodes of surface b
  PenaltyLaw law;
  double birth = 0.0, death = 0.0;
  double most_half_thickness = 0.0;  ///< largest of tracked nodes, over all ranks
  bool started = false;              ///< has been evaluated before
  // by tracked node
  std::vector<std::uint8_t> count;  ///< number of contacts now
  SlotPool slots;
  std::vector<SlidingWork> work;
  // since the last sort
  CandidateLists candidates;
  std::vector<CandidateSegment> segments;
  std::vector<NodeCluster> clusters;  ///< of the nodes of `candidates`
  std::vector<std::int32_t> cluster_blocks;
};

/// Initial unit normal of a one-sided segment, in integers, so that sums do not depend on the order.
std::array<std::int64_t, 3> outward_of(const state::Nodal& nodal, const SegmentRecord& r);

}  // namespace crumple::contact
