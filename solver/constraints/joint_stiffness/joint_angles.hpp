// What a joint stiffness carries when a run changes between implicit and explicit.
#pragma once

#include <array>

namespace crumple::constraints {

struct JointAngles {
  std::array<double, 3> angle{};     ///< beyond half a turn, too
  std::array<double, 3> friction{};  ///< moments of friction, which may be below their limits
  double energy = 0;                 ///< stored and dissipated so far
};

}  // namespace crumple::constraints
