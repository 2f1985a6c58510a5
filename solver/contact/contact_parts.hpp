// The parts of a ContactSystem; for its own source files only.
#pragma once

#include "contact/contact_system.hpp"
#include "contact/edges/line_contact.hpp"
#include "contact/force/slot_pool.hpp"
#include "contact/force/watch.hpp"
#include "contact/mortar/explicit_mortar.hpp"
#include "contact/segment_based/segment_points.hpp"

namespace crumple::contact {

struct ContactSystem::Side {
  std::int32_t contact = 0;
  std::vector<SegmentRecord> segments;
  std::vector<TrackedNode> nodes;    ///< ascending user id
  double mean_size = 0.0;            ///< mean size of segments, over all ranks; 0 without segments
  std::vector<SegmentShare> shares;  ///< with SOFT = 2, one per tracked node
  std::vector<NodePlane> planes;     ///< one per tracked node; empty if all are at their nodes
  // SOFT = 2: a side that consists of points on the segments of another side
  std::int32_t base = -1;            ///< that other side, index into sides_
  std::vector<SegmentPoint> points;  ///< one per tracked "node"; the node's id is that of its point

  std::vector<GlobalId> neighbours;                ///< see TrackedNode
  std::unique_ptr<mortar::ExplicitMortar> mortar;  ///< of surface a of a mortar contact

  /// Set the neighbours of a tracked node, or of a segment's point: those of the item with the key `one`.
  void set_neighbours(TrackedNode& node, GlobalId one, std::span<const model::Neighbours> all);
  bool has_points() const { return base >= 0; }
  Vec3 position(std::size_t tracked, const state::Nodal& nodal) const {
    return has_points() ? points[tracked].of(nodal.x) : nodal.x[nodes[tracked].node];
  }
};

/// Calls `visit(mortar)` for the mortar contacts of some sides.
template <class Sides, class Visit>
void for_each_mortar(Sides& sides, Visit visit) {
  for (auto& side : sides)
    if (side.mortar) visit(*side.mortar);
}
template <class Sides>
bool any_mortar(const Sides& sides) {
  return std::any_of(sides.begin(), sides.end(), [](const auto& side) { return side.mortar != nullptr; });
}

inline constexpr std::size_t kClusterNodes = 16;
inline constexpr std::size_t kDueTogether = 12;  ///< nodes that are due, evaluated together

/// Consecutive nodes of candidate lists that are evaluated together; those of cluster c begin at c *
/// kClusterNodes.
struct NodeCluster {
  std::int32_t blocks_begin = 0, blocks_end = 0;  ///< of NeighbourMotion, for the nodes and their candidates
  float least_gap = 0.0F;                         ///< the least of its nodes
  float step = 0.0F;     ///< bound of the relative motion of these nodes in the last step
  double moved = 0.0;    ///< sum of these bounds since the sort
  double wake = 0.0;     ///< before it has moved by this, no watch needs a look
  bool watched = false;  ///< some nodes are
  std::array<std::uint8_t, kClusterNodes> place{};  ///< by node: in `watches`, plus 1; 0 for none
  std::vector<Watch> watches;

  /// Of the node `active` of the candidate lists, null if it has not been watched.
  Watch* watch(std::size_t active) {
    const int at = place[active % kClusterNodes];
    return at > 0 ? &watches[at - 1] : nullptr;
  }
  void keep(std::size_t active, const Watch& watch) {
    std::uint8_t& at = place[active % kClusterNodes];
    if (at == 0) {
      watches.emplace_back();
      at = static_cast<std::uint8_t>(watches.size());
    }
    watches[at - 1] = watch;
    watched = true;
    wake = 0.0;
  }
  bool watches_now() const { return watched && !(moved < wake); }
};

struct ContactSystem::Due {
  struct Node {
    std::int32_t tracked;
    std::int32_t active;  ///< number in the candidate lists
    NodeView view;
  };
  struct Batch {
    std::size_t begin, end;  ///< of `clusters`
  };
  std::vector<std::size_t> clusters;  ///< with due nodes
  std::vector<Batch> batches;
  std::vector<Node> nodes;  ///< of one batch
  NearSegments near;
  Workspace workspace;
  NodeSlots fresh;                  ///< for a node without contacts so far
  std::vector<std::int32_t> ahead;  ///< indices of `nodes` whose room is looked for

  std::span<const std::size_t> batch(std::size_t k) const {
    return std::span(clusters).subspan(batches[k].begin, batches[k].end - batches[k].begin);
  }
};

struct ContactSystem::Pass {
  std::int32_t contact = 0;
  std::int32_t node_side = 0, segment_side = 0;  ///< into sides_
  bool of_b = false;                             ///< tracks nodes of surface b
  PenaltyLaw law;
  double birth = 0.0, death = 0.0;
  bool off = false;                  ///< by a switch of a sensor
  double most_half_thickness = 0.0;  ///< largest of tracked nodes, over all ranks
  bool started = false;              ///< has been evaluated before
  // by tracked node
  std::vector<std::uint8_t> count;  ///< number of contacts now
  SlotPool slots;
  std::vector<SlidingWork> work;
  std::vector<char> held;  ///< by ties (ContactSystem::hold); empty: none ever
  // since the last sort
  CandidateLists candidates;
  std::vector<CandidateSegment> segments;
  std::vector<double> planes;         ///< of `segments`, see model::Segment; empty without CNTCO
  std::vector<NodeCluster> clusters;  ///< of the nodes of `candidates`
  std::vector<std::int32_t> cluster_blocks;
  std::vector<std::int32_t> used;  ///< by node of `candidates`: its number in UsedNodes; none of points
  // by node of `candidates`: see look_ahead
  std::vector<std::uint8_t> rest;
  std::vector<std::int64_t> looked;  ///< cycle
};

/// Initial unit normal of a one-sided segment, in integers, so that sums do not depend on the order.
std::array<std::int64_t, 3> outward_of(const state::Nodal& nodal, const SegmentRecord& r);

}  // namespace crumple::contact
