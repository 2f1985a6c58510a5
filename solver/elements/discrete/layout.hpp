// Layout of the state variables of springs and dampers.
#pragma once

namespace crumple::elements::discrete {

inline constexpr int kLength0 = 0;    ///< initial length (along an orientation: initial projection)
inline constexpr int kDirection = 1;  ///< unit vector, when kOriented
inline constexpr int kOriented = 4;   ///< 1: acts along kDirection, 0: along the line between the nodes
inline constexpr int kGround = 5;     ///< 1: the second node is ground
inline constexpr int kScale = 6;      ///< factor on the force
inline constexpr int kOffset = 7;     ///< initial elongation
inline constexpr int kMoved = 8;      ///< with ground: displacement of the node (3); rotational: rotation (1)
inline constexpr int kForce = 11;     ///< positive in tension, or moment
inline constexpr int kElongation = 12;
inline constexpr int kHistory = 13;  ///< history of the law
/// Inverse of the mass (or inertia) that the element moves: the sum of 1 / m over its ends, where m is this
/// element's share of the node's mass (explicit/spring_masses.hpp). 0: both ends are held.
inline constexpr int kCompliance = kHistory + 3;
inline constexpr int kVariables = kCompliance + 1;

}  // namespace crumple::elements::discrete
