// The segments within reach of some nodes of a pass, found for all of them at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/force/watch.hpp"
#include "contact/geometry/closest_pairs.hpp"
#include "contact/search/segments.hpp"

namespace crumple::contact {

/// Memory is kept from one `clear` to the next.
class NearSegments {
 public:
  void clear();
  /// Adds a node at x with the candidates `pairs`. Deleted segments are left out, and those too far to touch
  /// after a relative motion of `moved`.
  void ask(const Vec3& x, double half_thickness, std::span<const Pair> pairs, double moved,
           std::span<const CandidateSegment> segments);
  /// Search for all added nodes.
  void find(const ClosestPairs& functions, const UsedNodes& used);
  /// Segments of the k-th node, in the order of its pairs.
  std::span<const SegmentWithinReach> of(std::size_t k) const {
    return std::span(found_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
  }
  /// Find how far some of the nodes (numbers as in `of`) may move until they can touch.
  void find_rooms(std::span<const std::int32_t> nodes, const ClosestPairs& functions, const UsedNodes& used,
                  std::span<const CandidateSegment> segments);
  /// Relative motion of the nodes of a cluster since the sort, and in the last step.
  struct Motion {
    double moved = 0.0, step = 0.0;
  };
  /// Sets the gaps of pairs that were asked for and are not within reach; once for each node of find_rooms,
  /// in their order.
  ///
  /// @param pairs as given to `ask` for this node
  /// @param watch in: started; out: watches the pairs that may touch soon
  /// @returns lower bound of the motion since the sort until the node can touch another of its segments
  float set_gaps(std::int32_t node, std::span<Pair> pairs, const Motion& cluster,
                 std::span<const CandidateSegment> segments, const UsedNodes& used, Watch& watch);

 private:
  std::vector<SeekerAndSegment> pairs_;
  std::vector<std::int32_t> end_;       ///< by node: end of its pairs
  std::vector<double> half_thickness_;  ///< by node
  std::vector<std::int32_t> near_;
  std::vector<SegmentWithinReach> found_;
  std::vector<std::int32_t> begin_;  ///< by node, into found_, and the end
  std::vector<std::int32_t> looked_at_;
  std::vector<TouchLimit> limits_;
  std::vector<Room> rooms_;
  std::size_t next_room_ = 0;
};

}  // namespace crumple::contact
