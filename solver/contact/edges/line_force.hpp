// The penalty law of two lines, each a round bar: contact points and forces.
//
// Crossing lines touch at the pair of closest points. Nearly parallel lines touch along their length: at the
// Gauss points of each line against the other. A weight that depends on the angle gives a smooth transition
// between the two (Meier, Wall & Popp 2017, A unified approach for beam-to-beam contact, CMAME 315, section
// 4: their force-based transition).
#pragma once

#include <array>

#include "contact/edges/lines.hpp"
#include "contact/force/penalty.hpp"

namespace crumple::contact {

/// A contact of two lines, stored from cycle to cycle with the first line.
struct LineContactState {
  GlobalId other = -1;                  ///< order of the second line
  std::int32_t second = -1;             ///< second line's index among candidates; updated by each sort
  std::array<GlobalId, 2> second_id{};  ///< user ids of its nodes
  std::array<Vec3, 4> force{};          ///< on the nodes of the first line, then on those of the second
  Vec3 direction;                       ///< unit vector from the second to the first
  Vec3 friction;                        ///< on the first
  double offset = 0.0;                  ///< penetration that gives no force: the initial one
  double penetration = 0.0;
};
CRUMPLE_MEMBERS_BUT(1, LineContactState, other, second_id, force, direction, friction, offset,
                    penetration)  // second

/// Data of one line for the law.
struct LineView {
  std::array<Vec3, 2> x, v;
  std::array<double, 2> mass{};
  const CandidateLine* line = nullptr;
  const UsedNodes* used = nullptr;

  double radius() const { return line->radius; }
  Vec3 at(double s) const { return (1.0 - s) * x[0] + s * x[1]; }
  Vec3 velocity(double s) const { return (1.0 - s) * v[0] + s * v[1]; }
  /// Inverse of the effective mass of the point.
  double inverse_mass(double s) const;
  /// Mass of the whole line: the mass of each end is divided among the lines that meet there.
  double own_mass() const;
  /// This line's fraction of a contact at s with a point at `other`: 1 inside the line; at an end where other
  /// lines continue, 0 if one of them is nearer, else an equal fraction.
  double share(double s, const Vec3& other) const;
};

/// The contact of a pair at t_n.
///
/// @param last at t_{n-1}; null if they did not touch
/// @param now out; the caller sets `other`, `second` and `second_id`
/// @param work in, out: of the first line
/// @return whether they touch
bool touch(const PenaltyLaw& law, const LineView& first, const LineView& second, double dt, double soft_dt,
           bool at_start, const LineContactState* last, LineContactState& now, SlidingWork& work);

}  // namespace crumple::contact
