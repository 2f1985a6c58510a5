// The segments within reach of some nodes of a pass, found for all of them at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

 private:
  std::vector<SeekerAndSegment> pairs_;
  std::vector<std::int32_t> end_;  ///< by node: end of its pairs
  std::vector<std::int32_t> near_;
  std::vector<SegmentWithinReach> found_;
  std::vector<std::int32_t> begin_;  ///< by node, into found_, and the end
};

}  // namespace crumple::contact
