// Layout of the state variables of discrete beams. The first ten are those of every beam (layout.hpp).
#pragma once

#include "elements/beam/layout.hpp"
#include "materials/discrete_beam/component.hpp"

namespace crumple::elements::beam {

inline constexpr int kDirection = kPoints;            ///< three components of the r axis
inline constexpr int kDisplacement = kDirection + 3;  ///< along r, s, t; rotations about them
inline constexpr int kStart = kDisplacement + 6;      ///< vector between the nodes in the frame, at the start
inline constexpr int kMass = kStart + 3;              ///< of the whole element
inline constexpr int kInertia = kMass + 1;            ///< of the whole element
inline constexpr int kComponents = kInertia + 1;      ///< history of the components
inline constexpr int kDiscreteVariables = kComponents + 6 * materials::kComponentHistory;

}  // namespace crumple::elements::beam
