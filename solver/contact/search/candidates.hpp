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
  const std::array<Vec3, 4>* x = nullptr;  ///< positions of its nodes
  std::int32_t home = 0;                   ///< rank
  std::int32_t message = 0;                ///< position among the messages of `home`
};

/// Segments that tracked nodes may touch: those of this rank, then the copies, numbered in this order.
struct FoundSegments {
  std::span<const SegmentRecord> own;
  std::vector<CopiedSegment> copies;

  std::size_t size() const { return own.size() + copies.size(); }
  /// Null for a segment of this rank.
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
  std::vector<float> least_gap;  ///< lower bound of the motion until the node can touch; 0 if it does
  std::vector<Pair> pair;

  /// Of the i-th node.
  std::span<Pair> of(std::size_t i) {
    return std::span(pair).subspan(at(begin[i]), at(begin[i + 1] - begin[i]));
  }
  std::span<const Pair> of(std::size_t i) const {
    return std::span(pair).subspan(at(begin[i]), at(begin[i + 1] - begin[i]));
  }
};

/// All pairs closer than reach + margin, without nodes of the segment's element or rigid body and without
/// neighbours.
///
/// @param x positions of `nodes`
/// @param local positions of this rank's nodes, to which its segments refer
/// @param own for points of segments: the user ids of the nodes of each point's segment; segments that share
/// one of them are left out too. Empty for nodes
/// @param neighbours lists of orders, each ascending, to which TrackedNode::neighbours_begin and _end refer
/// @param cell size of buckets
/// @param lists out; pairs refer to `segments`
void find_candidates(std::span<const TrackedNode> nodes, std::span<const Vec3> x, std::span<const Vec3> local,
                     const FoundSegments& segments, double cell, double margin, const ClosestPairs& functions,
                     CandidateLists& lists, std::span<const std::array<GlobalId, 4>> own = {},
                     std::span<const GlobalId> neighbours = {});

}  // namespace crumple::contact
