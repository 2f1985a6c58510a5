// Finds the segments that each tracked node may touch before the next sort.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/geometry/closest_pairs.hpp"
#include "contact/search/bucket_grid.hpp"
#include "contact/search/segments.hpp"

namespace crumple::contact {

/// A segment of another rank that is near this one's tracked nodes.
struct CopiedSegment {
  const SegmentRecord* record = nullptr;
  const std::array<Vec3, 4>* x = nullptr;  ///< where its nodes are
  std::int32_t home = 0;                   ///< rank
  std::int32_t message = 0;                ///< position among the messages of `home`
};

/// What tracked nodes may touch: this rank's segments, then the copies; numbered in this order.
struct FoundSegments {
  std::span<const SegmentRecord> own;
  std::vector<CopiedSegment> copies;

  std::size_t size() const { return own.size() + copies.size(); }
  /// Null for an own one.
  const CopiedSegment* copy(std::size_t i) const {
    return i < own.size() ? nullptr : &copies[i - own.size()];
  }
  const SegmentRecord& record(std::size_t i) const { return i < own.size() ? own[i] : *copy(i)->record; }
};

/// Candidates of each node that has any; `pair[begin[i] .. begin[i+1])` are those of tracked node `node[i]`,
/// in ascending order of segments.
struct CandidateLists {
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> begin;
  std::vector<float> least_gap;  ///< of the node's pairs
  std::vector<Pair> pair;
};

/// All pairs closer than reach + margin, nodes of a segment's own element, of its rigid body and neighbours
/// left out.
///
/// @param x positions of `nodes`
/// @param local positions of this rank's nodes, of which its segments are
/// @param own of each of `nodes` that is a point of a segment the user ids of that segment's nodes: segments
/// that share one are left out too; empty for nodes
/// @param neighbours lists of orders, each ascending, that TrackedNode::neighbours_begin and _end point into
/// @param cell size of buckets
/// @param lists out; pairs refer to `segments`
void find_candidates(std::span<const TrackedNode> nodes, std::span<const Vec3> x, std::span<const Vec3> local,
                     const FoundSegments& segments, double cell, double margin, const ClosestPairs& functions,
                     CandidateLists& lists, std::span<const std::array<GlobalId, 4>> own = {},
                     std::span<const GlobalId> neighbours = {});

}  // namespace crumple::contact
