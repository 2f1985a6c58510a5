// What ties by springs carry when a run changes between implicit and explicit.
//
// As with joints (constraints/joints/link_load.hpp) it is the load, not the position at which a spring is
// without force: both schemes have springs of different stiffness. The scheme that goes on takes the node's
// present position relative to the segment for the one to keep, and adds the load of that time. Its force F
// turns and stretches with the segment: F = sum c_a x_a + h n, with coefficients c_a of sum 0. The potential
//     k |x - p|^2 / 2 - F . (x - p)
// does not change in rigid motions, so that forces, its gradient, stay in balance.
#pragma once

#include <array>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::contact {

/// Of a spring: on its node, in global axes. Whether it has ended is known from time and elements.
struct TieLoad {
  Vec3 force, moment;
  double energy = 0;  ///< work done against it so far
};

/// The place of a node relative to its segment, and the load with which its spring began there.
struct TieStart {
  bool taken = false;              ///< else no load
  std::array<double, 4> weight{};  ///< of p
  double height = 0;
  std::array<double, 4> force{};  ///< c_a
  double force_along_normal = 0;  ///< h
  Vec3 moment;                    ///< turns with the segment
};
CRUMPLE_MEMBERS(TieStart, taken, weight, height, force, force_along_normal, moment)

}  // namespace crumple::contact
