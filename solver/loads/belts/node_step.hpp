// The stable step of a node that belt elements, and the fabric between rows of them, pull together.
//
// Central differences with viscous forces of the velocities half a step before: the highest motion grows
// where dt^2 k + 2 dt c > 4 m (its amplification -1; Belytschko, Liu and Moran 2000, Nonlinear Finite
// Elements, section 6.6), for k, c, m of that motion. Bounds of k and c add up, and so do those of different
// elements, node by node (Gershgorin for elements with two nodes; for a shell with the highest frequency w
// its masses at nodes times w^2: Flanagan and Belytschko 1981, Int. J. Numer. Meth. Eng. 17, 679-706):
//
//   dt^2 (2 sum K + sum m_s w^2 / 4) + 2 dt (2 sum C + sum m_s w^2 b / 4) <= 4 m
//
// K of belt elements, C = 0.1 M / dt their damping; m_s of shells, b the time of the fabric's damping. A step
// that is that of the rows, or that of the shells, is not stable for both.
#pragma once

#include <cmath>

namespace crumple::loads {

struct NodeStep {
  double stiffness = 0;  ///< 2 sum K + sum m_s w^2 / 4
  double viscosity = 0;  ///< sum m_s w^2 b / 4
  double inertia = 0;    ///< 4 dt sum C, which the mass has to carry whatever the step

  double of_mass(double mass) const {
    const double free = std::sqrt((4.0 * mass - inertia) / stiffness);
    const double lag = viscosity / (stiffness * free);  // the fraction of critical damping
    return free * (std::sqrt(1.0 + lag * lag) - lag);
  }
};

}  // namespace crumple::loads
