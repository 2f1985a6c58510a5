// Loads of joints and ties by springs, and which welds have broken, where a run changes between implicit and
// explicit.
#pragma once

#include <vector>

#include "constraints/joint_stiffness/joint_angles.hpp"
#include "constraints/joints/link_load.hpp"
#include "constraints/spot_welds.hpp"
#include "contact/tied/tie_load.hpp"

namespace crumple::phases {

struct CarriedLinks {
  constraints::JointLoads joints;
  std::vector<constraints::JointAngles> angles;  ///< of joint stiffnesses
  std::vector<contact::TieLoad> ties;            ///< springs of all contacts, in their order

  std::vector<char> broken;                           ///< by weld
  std::vector<constraints::SpotWelds::Break> breaks;  ///< of these

  /// Energies are counted anew.
  void forget_energies() {
    for (double& energy : joints.energy) energy = 0.0;
    for (constraints::JointAngles& a : angles) a.energy = 0.0;
    for (contact::TieLoad& tie : ties) tie.energy = 0.0;
  }
};

}  // namespace crumple::phases
