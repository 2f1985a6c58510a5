// What links of joints carry when a run changes between implicit and explicit.
//
// Both schemes have the same links in the same order, with different stiffness. So the gaps under the same
// load differ, and a gap cannot be carried over: the load is. The scheme that goes on takes the gap that it
// finds for none. From then on a link has its load of that time, which turns with body A, and its own
// stiffness against what the gap changes.
#pragma once

#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::constraints {

/// Of a link on body A, in global axes, without damping; of axes that stay perpendicular the moment.
struct LinkLoad {
  Vec3 force;
  double moment = 0;  ///< against the opening of the angle
};

struct JointLoads {
  std::vector<LinkLoad> links;
  std::vector<double> energy;  ///< of joints of the model: stored and dissipated so far
  /// Of each of Model::supports on its body. Only explicit cycles hold bodies there by a penalty.
  std::vector<Vec3> supports;
};

/// The load with which a link began, and its gap then, in the axes of body A; of supports in global axes.
struct LinkStart {
  bool taken = false;  ///< else zero
  Vec3 force{}, gap{};
  double moment = 0, opening = 0;
};
CRUMPLE_MEMBERS(LinkStart, taken, force, gap, moment, opening)

}  // namespace crumple::constraints
