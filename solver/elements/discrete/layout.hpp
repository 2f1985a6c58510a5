// Where the state variables of springs and dampers lie.
#pragma once

namespace crumple::elements::discrete {

inline constexpr int kLength0 = 0;    ///< initial length (along an orientation: initial projection)
inline constexpr int kDirection = 1;  ///< unit vector, when kOriented
inline constexpr int kOriented = 4;   ///< 1: acts along kDirection, 0: along the line between the nodes
inline constexpr int kGround = 5;     ///< 1: the second node is ground
inline constexpr int kScale = 6;      ///< on the force
inline constexpr int kOffset = 7;     ///< initial elongation
inline constexpr int kMoved = 8;      ///< to ground: displacement of the node (3); rotational: rotation (1)
inline constexpr int kForce = 11;     ///< positive in tension, or moment
inline constexpr int kElongation = 12;
inline constexpr int kHistory = 13;  ///< of the law
/// Inverse of the mass, or of the inertia, that the element has to move: the sum over its ends of 1 / m, of
/// each node the share that this element may count on (explicit/spring_masses.hpp). 0: both ends are held.
inline constexpr int kCompliance = kHistory + 3;
inline constexpr int kVariables = kCompliance + 1;

}  // namespace crumple::elements::discrete
