// What the search and the force evaluation know of contact segments and tracked nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::contact {

inline constexpr GlobalId kNoNode = -1;

/// A segment on its home rank (the one that has its element), fixed for the run except for `alive`.
struct SegmentRecord {
  GlobalId order = 0;                  ///< in the surface of the whole model: ties and histories go by it
  std::array<GlobalId, 8> excluded{};  ///< user ids of nodes it never touches: its own four first, then
                                       ///< the rest of its solid; kNoNode fills
  std::array<LocalId, 4> node{};       ///< local on the home rank
  double half_thickness = 0.0;
  double depth = 0.0;         ///< one-sided: how deep a node may be behind and still count, else 0
  double border_depth = 0.0;  ///< the most depth of all one-sided segments that share a node with it
  double stiffness = 0.0;     ///< penalty stiffness with all scales; 0: unknown
  double area = 0.0;
  double mass = 0.0;  ///< SOFT = 2: each node's, shared by the segments at it
  LocalId rigid_body = -1;
  LocalId part = -1;        ///< into Model::parts, the same on all ranks
  std::int8_t corners = 4;  ///< 3 or 4
  bool one_sided = false;   ///< a solid's face, or a shell whose front alone is touched
  bool alive = true;
  bool asleep = false;  ///< covered by another solid, the face of which is `twin`
  GlobalId twin = -1;   ///< order of it; -1: never wakes

  bool there() const { return alive && !asleep; }
};
CRUMPLE_MEMBERS(SegmentRecord, order, excluded, node, half_thickness, depth, border_depth, stiffness, area,
                mass, rigid_body, part, corners, one_sided, alive, asleep, twin)

/// A segment that some tracked node of this rank may touch before the next sort. Home anywhere.
struct CandidateSegment {
  std::array<std::int32_t, 4> node{};  ///< into UsedNodes
  GlobalId order = 0;
  double half_thickness = 0.0, depth = 0.0, border_depth = 0.0, stiffness = 0.0, area = 0.0, mass = 0.0;
  LocalId part = -1;
  std::int8_t corners = 4;
  bool one_sided = false;  ///< a solid's face, or a shell whose front alone is touched
  bool alive = true;
  bool rigid = false;  ///< of a rigid body
};

/// Distance from the surface within which a node of so much thickness touches a segment, or one that shares a
/// border with it and wants to know of it.
template <class Segment>
double reach(const Segment& segment, double half_thickness) {
  return std::max(segment.half_thickness + half_thickness, segment.border_depth);
}

/// A tracked node, on its owner.
struct TrackedNode {
  LocalId node = 0;
  GlobalId id = 0;
  Vec3 outward;  ///< sum of the initial normals of its one-sided segments, of any size
  double half_thickness = 0.0;
  double stiffness = 0.0;  ///< smallest of its segments', with all scales; 0: it has none
  LocalId rigid_body = -1;
  bool alive = true;
  bool beam_end = false;      ///< and of no segment: what it is inside of at the start gives no force
  std::int32_t attached = 0;  ///< live segments of its own surface at it that are awake, over all ranks
  std::int32_t asleep = 0;    ///< and that are not
  std::int32_t neighbours_begin = 0, neighbours_end = 0;  ///< segments that it never touches, in a list
};

/// SOFT = 2: what a tracked node or point stands for.
struct SegmentShare {
  double mass = 0.0;   ///< of a segment: the smallest of a node's
  double share = 1.0;  ///< of a segment's area
};

/// Candidate of a node; `gap` bounds from below the motion it takes to touch.
struct Pair {
  std::int32_t segment = 0;
  float gap = 0.0F;
};

/// Nodes of candidate segments: first those of this rank, then copies from other ranks.
struct UsedNodes {
  std::vector<LocalId> local;  ///< of the first `n_local()` nodes
  std::vector<GlobalId> id;
  std::vector<double> mass;
  AlignedVector<Vec3> x;
  // of copies only
  std::vector<Vec3> v;
  std::vector<parallel::FixedVector> force;  ///< to be added at home

  std::size_t size() const { return id.size(); }
  std::size_t n_local() const { return local.size(); }
  std::size_t n_copies() const { return size() - n_local(); }
  /// Room for so many copies behind the local nodes.
  void add_copies(std::size_t count) {
    const std::size_t all = n_local() + count;
    id.resize(all);
    mass.resize(all);
    x.resize(all);
    v.resize(count);
    force.resize(count);
  }
};

}  // namespace crumple::contact
