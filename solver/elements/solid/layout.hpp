// Layout of the state variables of solid elements, the same for all formulations.
//
// First the variables of the element, then n_points x (stress 6, plastic strain, history), then the twelve
// hourglass stresses of the stiffness types, then the nodal dilatation.
#pragma once

#include "elements/kernel.hpp"

namespace crumple::elements::solid {

inline constexpr int kVolume0 = 0;    ///< initial volume
inline constexpr int kViscosity = 1;  ///< bulk viscosity pressure of the last step
inline constexpr int kLength = 2;     ///< cube root of the volume
inline constexpr int kPoints = 3;     ///< first variable of point 0
inline constexpr int kHistory = 7;    ///< of a point, from its first variable: the law's history

/// Variables of one integration point.
inline int point_stride(const GroupParameters& group) { return kHistory + group.n_history; }

/// First of the twelve hourglass stresses, and the number of variables without them.
inline int hourglass_offset(const GroupParameters& group) {
  return kPoints + group.n_points * point_stride(group);
}

/// Hourglass types 4 to 6 integrate generalised stresses.
inline bool has_hourglass_stress(const GroupParameters& group) {
  return group.hourglass.type >= 4 && group.hourglass.type <= 6;
}

/// Index of the nodal dilatation of the step, the last variable.
inline int nodal_dilatation_at(const GroupParameters& group) {
  return hourglass_offset(group) + (has_hourglass_stress(group) ? 12 : 0);
}

inline int n_variables(const GroupParameters& group) {
  return nodal_dilatation_at(group) + (group.nodal_dilatation ? 1 : 0);
}

/// The layout as output and hashing see it.
StateLayout layout(const GroupParameters& group);

}  // namespace crumple::elements::solid
