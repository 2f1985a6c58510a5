// Layout of the state variables of smooth particles.
//
// First the particle's own, then what its neighbours make of it in a step (solver/particles writes these
// before the kernel), then the point: stress 6, plastic strain, history, as in solids.
#pragma once

#include "elements/kernel.hpp"

namespace crumple::elements::particle {

inline constexpr int kVolume0 = 0;  ///< at the start
inline constexpr int kViscosity =
    1;                              ///< pressure of the bulk viscosity of solids in the last step (IAVIS = 1)
inline constexpr int kRatio = 2;    ///< volume over that at the start
inline constexpr int kLength = 3;   ///< smoothing length
inline constexpr int kLength0 = 4;  ///< at the start
inline constexpr int kSpeed = 5;    ///< of plane waves, now
inline constexpr int kNeighbours = 6;  ///< number of them, for results
inline constexpr int kGradient = 7;    ///< nine: of the velocity, by rows, at mid step
inline constexpr int kHeating = 16;    ///< of Monaghan's viscosity in the step, per volume at the start
inline constexpr int kSteepness =
    17;                              ///< sum of the absolute gradients of the kernel, over that inside a body
inline constexpr int kClosing = 18;  ///< largest -mu_ij of the viscosity, a speed
inline constexpr int kGone = 19;     ///< 1: it leaves (MAXV)
inline constexpr int kPoint = 20;    ///< first variable of the point
inline constexpr int kPointHistory = 7;  ///< from there: the law's history

inline int n_variables(const GroupParameters& group) { return kPoint + kPointHistory + group.n_history; }

}  // namespace crumple::elements::particle
