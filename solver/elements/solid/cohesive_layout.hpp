// Layout of the state variables of cohesive elements.
//
// First the variables of the element: its size, the mass of a node (times the thickness with a law whose
// stiffness is a modulus over it: so the step needs no further variable), the separation of each pair of
// nodes at the start, the force on each upper node after the last step. Then, for each point: tractions in
// the place of stress (xx and yy along the mid-surface, zz normal to it, the rest 0), damage in that of
// plastic strain, history.
#pragma once

#include "elements/kernel.hpp"

namespace crumple::elements::cohesive {

inline constexpr int kSize = 0, kNodeMass = 1, kSeparation0 = 2;

/// First of three force components for each of `pairs` pairs of nodes.
inline int force_at(int pairs) { return kSeparation0 + 3 * pairs; }
inline int points_at(int pairs) { return force_at(pairs) + 3 * pairs; }
inline int point_stride(const GroupParameters& group) { return 7 + group.n_history; }
inline int n_variables(const GroupParameters& group, int pairs) {
  return points_at(pairs) + group.n_points * point_stride(group);
}

}  // namespace crumple::elements::cohesive
