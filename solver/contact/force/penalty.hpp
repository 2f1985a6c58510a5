// The penalty law at one tracked node: the segments that it touches, and the forces.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "contact/force/near_segments.hpp"
#include "contact/search/segments.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

inline constexpr int kSlots = 3;  ///< a node in the corner of three walls touches three segments

/// A pair's spring is at most this share of m* / dt^2, m* the reduced mass of node and contact point. Two
/// facing nodes have two springs (each node against the other's segment), so omega^2 dt^2 <= 0.5. Central
/// differences are stable up to 4, so several nodes may act on one segment.
///
/// Within that limit an impact still has an energy error. Between steps in contact the scheme conserves m
/// v_{n+1/2}^2 + k x_n x_{n+1}. So the start and the end of a contact each have an error of k times depth
/// times gap, at most m (v dt)^2 omega^2 / 4. Errors of pairs that touch at different phases cancel; those of
/// bodies with a flat impact do not.
///
/// The deck's stiffness exceeds the limit if shells are thin for their size: k = 0.1 K L / sqrt(2) and m =
/// rho t L^2 give omega^2 dt^2 of about 0.17 L / t for two facing sheets. LS-DYNA then prints its "surface
/// time step" and continues; users must notice the energy that such springs create.
inline constexpr double kStableShare = 0.25;

/// Of a mass; 0 where the node is fixed.
inline double inverse(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

/// Constants of a contact for the force law.
struct PenaltyLaw {
  double fs = 0, fd = 0, dc = 0;  ///< friction, scaled by FSF
  double vc = 0;                  ///< largest shear stress, scaled by VSF; 0: no limit
  double damping = 0;             ///< fraction of critical
  bool friction = false;
  int penopt = 1;
  bool soft = false;  ///< SOFT = 1
  double sofscl = 0.1;
  double step = 0.0;           ///< DTSTIF: least step for the stiffness of SOFT = 1 and 2
  bool segment_based = false;  ///< SOFT = 2
  double mass_scale = 0.1;     ///< scale of its stiffness: SLSFAC times the smaller of SFSA and SFSB
  double friction_scale = 1.0, edge_scale = 1.0;  ///< of its stiffness: FRICSF, and EDGEK of edges
  bool two_way = false;                           ///< both surfaces' points are tracked
  bool keep_initial = false;  ///< IGNORE = 1, 2, and SOFT = 2: initial penetration gives no force
  const model::FrictionTable* pairs = nullptr;  ///< friction by parts, in place of fs, fd, dc and vc
  // of rigid bodies: the force by a curve, in place of a stiffness
  const model::Curve* curve = nullptr;          ///< over the penetration
  bool pressure = false;                        ///< over the area of the node
  double unloading = 0.0;                       ///< stiffness; 0: along the curve
  const model::Curve* damping_curve = nullptr;  ///< over the speed of penetration
  double damping_scale = 1.0;

  static PenaltyLaw of(const model::Contact& contact);
  /// Coulomb coefficient at a sliding speed: fd + (fs - fd) exp(-dc v).
  double coefficient(double speed) const;
  /// The friction of two parts.
  model::Friction of_parts(LocalId node, LocalId segment) const {
    return pairs != nullptr ? pairs->of(node, segment) : model::Friction{fs, fd, dc, vc};
  }
  /// Stiffness of a pair without SOFT = 1: PENOPT 1 smaller of both, 2 the segment's, 3 the node's.
  double stiffness(double node, double segment) const;
};

/// One contact of a node, stored from cycle to cycle.
struct Slot {
  GlobalId order = -1;              ///< of the segment
  std::array<GlobalId, 4> nodes{};  ///< its nodes: a segment that shares one continues the contact
  std::int32_t segment = -1;        ///< index among candidate segments; updated by each sort, -1 if far
  std::array<double, 4> weight{};
  Vec3 direction;       ///< unit vector from the segment to the node
  Vec3 force;           ///< on the node
  Vec3 friction;        ///< part of `force` from the tangential spring
  double offset = 0.0;  ///< penetration that gives no force (IGNORE); by a curve: what unloading leaves
  double penetration = 0.0;
};
CRUMPLE_MEMBERS_BUT(1, Slot, order, nodes, weight, direction, force, friction, offset,
                    penetration)  // segment

/// Contacts of one tracked node.
struct NodeSlots {
  std::array<Slot, kSlots> slot{};
};
CRUMPLE_MEMBERS(NodeSlots, slot)

/// Work done against a node's contacts since the start.
struct SlidingWork {
  double total = 0.0;     ///< elastic, friction and damping together
  double friction = 0.0;  ///< dissipated by friction
};
CRUMPLE_MEMBERS(SlidingWork, total, friction)

/// Data of a pass that is the same for all its nodes in a cycle.
struct PassView {
  const PenaltyLaw* law = nullptr;
  std::span<const CandidateSegment> segments;
  std::span<const double> planes;  ///< of the segments; empty if none has one beside its nodes
  const UsedNodes* used = nullptr;
  const Vec3* v = nullptr;               ///< of this rank's nodes
  const state::Nodal* masses = nullptr;  ///< where they may change, those of this rank's nodes
  double dt = 0.0;                       ///< t_n - t_{n-1}
  double soft_dt = 0.0;                  ///< step of SOFT = 1
  bool first = false;                    ///< first cycle of this contact
};

/// Data of one tracked node, or point of a segment, for the law.
struct NodeView {
  Vec3 x, v;
  Vec3 outward;  ///< see TrackedNode
  Vec3 shift;    ///< from the node to its reference plane
  double half_thickness = 0.0, stiffness = 0.0, mass = 0.0;
  const SegmentShare* stands_for = nullptr;  ///< with SOFT = 2
  LocalId part = -1;                         ///< with friction by pairs of parts
  double area = 0.0;                         ///< where a curve gives the pressure
  bool rigid = false;                        ///< belongs to a rigid body
  bool keep_initial = false;                 ///< as in the law, for this node
  std::span<const Pair> pairs;               ///< all candidates
  std::span<const SegmentWithinReach> near;  ///< candidates within reach
};

/// Priority of a face, with a node behind it, over nearer faces; smaller values have priority.
enum class Claim : std::int8_t {
  goes_on,  ///< it pushed the node in the last cycle
  entered,  ///< the node came through it in the last step
  none,
};

/// A segment within reach of a node.
struct Hit {
  std::int32_t segment = -1;
  int slot = -1;  ///< contact of the last cycle that it continues
  std::array<double, 4> weight{};
  Vec3 direction;
  double distance = 0.0;
  double gap = 0.0;
  double penetration = 0.0;
  double share = 1.0;  ///< fraction of its force, less than 1 when others push in nearly the same direction
  bool face = false, one_sided = false;
  Claim claim = Claim::none;

  /// Whether the node is behind a solid's face, or behind the front of a one-sided shell.
  bool inside() const { return one_sided && gap < 0.0; }
};
inline constexpr int kMaxHits = 8;              ///< four segments around a node of each of two sheets
using HitList = std::array<Hit, kMaxHits + 1>;  ///< and one more for the hit being computed

/// Working memory of update_node.
struct Workspace {
  HitList hits;
  std::array<Slot, kSlots> now;
};

/// Add half of the last step's work: the part of the forces at its beginning.
void count_last_forces(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
                       SlidingWork& work);

/// Update the contacts of one node from t_{n-1} to t_n.
///
/// A node touches its nearest segment, and other segments that push it in a different direction: the far wall
/// of a gap, the other walls of a corner. A push within 30 degrees of an existing one counts as the same
/// surface; beyond 60 degrees it counts fully; linear between, so that rotating surfaces give no jump.
/// Penetration is (t_node + t_segment) / 2 - gap; the gap is negative on the far side of a shell's middle
/// surface when the node came from the near side.
///
/// A node inside a solid is pushed out of the face that pushed it before, else of the face through which it
/// came in this step, else of the nearest face. (If two bars of equal section meet at their ends, their side
/// faces are always nearer than their end faces.)
///
/// @param slots in: contacts at t_{n-1}; out: at t_n
/// @param count in, out: number of contacts
/// @param work in, out
void update_node(const PassView& pass, const NodeView& node, NodeSlots& slots, std::uint8_t& count,
                 SlidingWork& work, Workspace& workspace);

}  // namespace crumple::contact
