// The penalty law of two lines, each a round bar: where they touch, and with what force.
//
// Lines that cross touch in the pair of closest points; lines that run along each other touch all along, at
// the Gauss points of either against the other. A share that depends on the angle between them leads from
// one to the other without a jump (Meier, Wall & Popp 2017, A unified approach for beam-to-beam contact,
// CMAME 315, section 4: their force-based transition).
#pragma once

#include <array>

#include "contact/edges/lines.hpp"
#include "contact/force/penalty.hpp"

namespace crumple::contact {

/// A contact of two lines, carried from cycle to cycle by the first of them.
struct LineContactState {
  GlobalId other = -1;                  ///< order of the second line
  std::int32_t second = -1;             ///< it among the candidates; renewed by each sort
  std::array<GlobalId, 2> second_id{};  ///< user ids of its nodes
  std::array<Vec3, 4> force{};          ///< on the nodes of the first line, then on those of the second
  Vec3 direction;                       ///< unit vector from the second to the first
  Vec3 friction;                        ///< on the first
  double offset = 0.0;                  ///< penetration that gives no force: what was there at the start
  double penetration = 0.0;
};
CRUMPLE_MEMBERS_BUT(1, LineContactState, other, second_id, force, direction, friction, offset,
                    penetration)  // second

/// One line as the law sees it.
struct LineView {
  std::array<Vec3, 2> x, v;
  std::array<double, 2> mass{};
  const CandidateLine* line = nullptr;
  const UsedNodes* used = nullptr;

  double radius() const { return line->radius; }
  Vec3 at(double s) const { return (1.0 - s) * x[0] + s * x[1]; }
  Vec3 velocity(double s) const { return (1.0 - s) * v[0] + s * v[1]; }
  /// Inverse of the mass that the point sets against a push.
  double inverse_mass(double s) const;
  /// Of the whole line: each end's mass is shared by the lines that meet there.
  double own_mass() const;
  /// How much of a contact at s with something at `other` this line has: all inside; at an end where other
  /// lines go on, nothing if one of them is nearer, else an equal share.
  double share(double s, const Vec3& other) const;
};

/// The contact of a pair at t_n.
///
/// @param last at t_{n-1}; null if they did not touch
/// @param now out, with `other`, `second` and `second_id` left to the caller
/// @param work in, out: of the first line
/// @return whether they touch
bool touch(const PenaltyLaw& law, const LineView& first, const LineView& second, double dt, double soft_dt,
           bool at_start, const LineContactState* last, LineContactState& now, SlidingWork& work);

}  // namespace crumple::contact
