// Dynamic relaxation: damped motion under the loads that act before the run, until the model is at rest.
//
// Velocities are multiplied by DRFCTR in every cycle, v_{n+1/2} = DRFCTR v_{n-1/2} + a_n dt (Hallquist 2006,
// LS-DYNA Theory Manual, chapter on dynamic relaxation), which is written as an acceleration of -(1 - DRFCTR)
// v / dt, so that constraints and prescribed motion are applied after it. Stresses remain for the run;
// initial velocities are applied when it begins.
#pragma once

#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

class DynamicRelaxation {
 public:
  /// Stores the velocities of nodes and bodies and sets them to zero.
  void begin(state::Nodal& nodal, constraints::RigidBodies& bodies);

  /// Adds to the accelerations at t_n, before constraints. Local; the same for all copies of a node.
  static void slow_down(double factor, state::Nodal& nodal, constraints::RigidBodies& bodies, double dt_v);

  /// Restores the stored velocities.
  void end(state::Nodal& nodal, constraints::RigidBodies& bodies) const;

 private:
  AlignedVector<Vec3> v_, w_;
  std::vector<constraints::RigidBodies::Velocity> bodies_;
};

}  // namespace crumple::explicit_dynamics
