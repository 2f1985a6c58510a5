// Data of contact segments and tracked nodes for the search and the forces.
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

/// A segment on its home rank (that of its element); constant during the run except for `alive` and `asleep`.
struct SegmentRecord {
  GlobalId order = 0;                  ///< in the surface of the whole model; breaks ties, names histories
  std::array<GlobalId, 8> excluded{};  ///< user ids of nodes it never touches: its own four first, then
                                       ///< the rest of its solid; kNoNode fills
  std::array<LocalId, 4> node{};       ///< local on the home rank
  double half_thickness = 0.0;         ///< and |plane|: how far from the nodes it can be touched
  double plane = 0.0;                  ///< see model::Segment
  double depth = 0.0;                  ///< one-sided: largest depth behind it at which a node counts, else 0
  double border_depth = 0.0;  ///< the largest depth of all one-sided segments that share a node with it
  double stiffness = 0.0;     ///< penalty stiffness with all scales; 0: unknown
  double area = 0.0;
  double mass = 0.0;  ///< SOFT = 2: sum of its part of each node's mass
  LocalId rigid_body = -1;
  LocalId part = -1;        ///< into Model::parts, the same on all ranks
  std::int8_t corners = 4;  ///< 3 or 4
  bool one_sided = false;   ///< a solid's face, or a shell touched on its front only
  bool alive = true;
  bool asleep = false;  ///< covered by another solid with the face `twin`
  GlobalId twin = -1;   ///< order of that face; -1: never becomes active
  bool dying =
      false;  ///< deleted after the last forces, whose work in the motion since then is to be counted

  bool there() const { return alive && !asleep; }
  bool searched() const { return there() || dying; }
};
CRUMPLE_MEMBERS(SegmentRecord, order, excluded, node, half_thickness, plane, depth, border_depth, stiffness,
                area, mass, rigid_body, part, corners, one_sided, alive, asleep, twin, dying)

/// A segment of any home rank that a tracked node of this rank may touch before the next sort.
struct CandidateSegment {
  std::array<std::int32_t, 4> node{};  ///< into UsedNodes
  std::array<std::int32_t, 4> same{};  ///< the first number of each of these nodes (UsedNodes::first_numbers)
  double half_thickness = 0.0, border_depth = 0.0;
  LocalId part = -1;
  std::int8_t corners = 4;
  bool one_sided = false;  ///< a solid's face, or a shell touched on its front only
  bool alive = true;
  bool rigid = false;  ///< belongs to a rigid body
  GlobalId order = 0;  // up to here a line of the cache, which says whether the segment is near
  double depth = 0.0, stiffness = 0.0, area = 0.0, mass = 0.0;
};

/// Distance from the surface within which a node of this half thickness may touch the segment, or another
/// segment that shares a border and needs this one.
template <class Segment>
double reach(const Segment& segment, double half_thickness) {
  return std::max(segment.half_thickness + half_thickness, segment.border_depth);
}

/// A tracked node, on its owner.
struct TrackedNode {
  LocalId node = 0;
  GlobalId id = 0;
  Vec3 outward;                 ///< sum of the initial normals of its one-sided segments, not normalised
  double half_thickness = 0.0;  ///< and the distance of its plane
  double stiffness = 0.0;       ///< smallest of its segments, with all scales; 0 without segments
  double area = 0.0;            ///< its share of its segments at the start, where a curve gives the pressure
  LocalId rigid_body = -1;
  LocalId part = -1;  ///< with friction by pairs of parts
  bool alive = true;
  bool beam_end = false;      ///< end of a beam without segments: its initial penetrations give no force
  std::int32_t attached = 0;  ///< number of its active segments of its own surface, over all ranks
  std::int32_t asleep = 0;    ///< number of those that are not active yet
  std::int32_t neighbours_begin = 0, neighbours_end = 0;  ///< range in a list of excluded segments
};

/// The reference plane of a tracked node or point, on the owner.
struct NodePlane {
  double distance = 0.0;          ///< from the node, along the normal of `node`; 0: it is at the node
  std::array<LocalId, 4> node{};  ///< of a segment at it; a triangle repeats its last

  /// From the node to its plane.
  template <class Positions>
  Vec3 shift(const Positions& x) const {
    if (distance == 0.0) return {};
    const Vec3 normal = cross(x[node[2]] - x[node[0]], x[node[3]] - x[node[1]]);
    const double length = norm(normal);
    return length > 0.0 ? (distance / length) * normal : Vec3{};
  }
};

/// SOFT = 2: the part of a segment that a tracked node or point represents.
struct SegmentShare {
  double mass = 0.0;   ///< of a segment; for a node the smallest of its segments
  double share = 1.0;  ///< fraction of the segment's area
};

/// Candidate of a node; `gap` is a lower bound of the motion since the sort until it is within reach.
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
  // for copies only
  std::vector<Vec3> v;
  std::vector<parallel::FixedVector> force;  ///< to be added on the home rank

  std::size_t size() const { return id.size(); }
  std::size_t n_local() const { return local.size(); }
  std::size_t n_copies() const { return size() - n_local(); }
  /// Make room for `count` copies after the local nodes.
  void add_copies(std::size_t count) {
    const std::size_t all = n_local() + count;
    id.resize(all);
    mass.resize(all);
    x.resize(all);
    v.resize(count);
    force.resize(count);
  }
  /// By number: the first number of the same node. A node that several ranks have may be among this rank's
  /// nodes and in the copies of several others.
  std::vector<std::int32_t> first_numbers() const;
};

}  // namespace crumple::contact
