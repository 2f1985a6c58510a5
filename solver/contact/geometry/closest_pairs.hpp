// Closest points of many pairs of a point and a segment, which are compiled once per instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "contact/geometry/closest_point.hpp"
#include "elements/kernel.hpp"

namespace crumple::contact {

/// A point, and the distance up to which it searches for segments.
struct Seeker {
  double x = 0.0, y = 0.0, z = 0.0, reach = 0.0;
};

/// The reach of a segment: it is found by a point of half thickness `own` within max(half_thickness + own,
/// border_depth) + margin.
struct SegmentReach {
  double half_thickness = 0.0, border_depth = 0.0, margin = 0.0;
};

struct SeekerAndSegment {
  Seeker seeker;
  std::array<std::int32_t, 4> node{};  ///< of the segment; the last two of a triangle are one
  std::int32_t segment = 0;            ///< number of the segment
};

/// When a pair touches: nearer than `thickness`, or nearer than `depth` and inside a one-sided segment.
struct TouchLimit {
  double thickness = 0.0, depth = 0.0;
  bool one_sided = false;
};

/// A pair's distance, and a lower bound of the relative motion until it can touch. Both are 0 for a triangle
/// without area.
struct Room {
  double distance = 0.0, until_touch = 0.0;
};

struct SegmentWithinReach {
  std::int32_t pair = 0, segment = 0;
  ClosestPoint closest;
};

/// Results have the same bits on every instruction set.
struct ClosestPairs {
  /// Find the pairs that are not certainly beyond reach: their indices are written to `kept`, in order.
  ///
  /// @param x positions of nodes; a load may read 8 bytes beyond the last (AlignedVector)
  /// @returns how many
  std::int32_t (*keep_near)(const SeekerAndSegment* pairs, std::int32_t number, const Vec3* x,
                            std::int32_t* kept) = nullptr;
  /// Closest points of the pairs with indices `kept` that are within reach, in order.
  ///
  /// @returns how many
  std::int32_t (*within_reach)(const SeekerAndSegment* pairs, const std::int32_t* kept, std::int32_t number,
                               const Vec3* x, SegmentWithinReach* out) = nullptr;
  /// Room of the pairs with indices `kept`.
  ///
  /// @param limits (number), and `out` too
  void (*rooms)(const SeekerAndSegment* pairs, const std::int32_t* kept, std::int32_t number, const Vec3* x,
                const TouchLimit* limits, Room* out) = nullptr;
  /// The same as keep_near for points near one segment; their `reach` is half their thickness.
  ///
  /// @param nodes nodes of the segment
  std::int32_t (*keep_near_one)(const Seeker* seekers, std::int32_t number, const Vec3 (&nodes)[4],
                                int corners, const SegmentReach& reach, std::int32_t* kept) = nullptr;
  /// Squared distances of the points with indices `kept` from one segment.
  void (*distances2)(const Seeker* seekers, const std::int32_t* kept, std::int32_t number,
                     const Vec3 (&nodes)[4], int corners, double* distance2) = nullptr;
};

/// For an instruction set, or for the best one below it that was compiled.
const ClosestPairs& closest_pairs(elements::Isa isa);

namespace detail {
struct RegisterClosestPairs {
  RegisterClosestPairs(elements::Isa isa, const ClosestPairs& functions);
};
}  // namespace detail

}  // namespace crumple::contact
