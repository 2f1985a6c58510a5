// Directions a, b, c of a material in elements: AOPT of its cards, and what elements have of their own.
//
// The directions are those at the start. How they turn is the law's and the element's matter. AOPT
// (LS-DYNA keyword manual, vol. II, MAT_002), n is the normal, c = a x d and b = c x a unless n is c:
//
//   0  a along side 1-2, d along 1-4; in shells about n by BETA
//   1  solids: a from the point P to the middle of the element, d = z
//   2  a and d as given; in shells a is projected
//   3  a = v x n, about n by BETA; n of solids: of the surface half way between nodes 1 to 4 and 5 to 8
//   4  solids: a away from the axis through P along v, d = v
//   <0 the coordinate system of that number: a = x, d = y; in shells a is projected
//
// Laws with THKDIR have c through the thickness of a layer of bricks: along the smallest of the element's
// three dimensions (0), or from nodes 1 to 4 to nodes 5 to 8 (1).
//
// The figures of the manual, not its text, say what b and c are for 1 and 4. An angle of the element's own
// takes the place of BETA, and turns the axes whatever AOPT is. MACF exchanges axes of solids, before that
// turn if it is negative.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "base/types.hpp"
#include "model/forward.hpp"

namespace crumple::model {

using Axes = std::array<Vec3, 3>;

/// An angle that was not given.
inline constexpr double kNoAngle = std::numeric_limits<double>::quiet_NaN();

/// Options of laws with THKDIR.
inline constexpr int kThroughSmallest = 10, kThroughGiven = 11;

/// AOPT and its data.
struct AxesRule {
  int option = 0;  ///< 0 to 4, -1: `system`, kThroughSmallest, kThroughGiven
  Vec3 point, a, v, d;
  Axes system{};
  double angle = 0;  ///< BETA, radians
  int change = 1;    ///< MACF
};

/// The rule of a material's cards; MANGLE, if there is one, is the angle in place of BETA. Throws CR-M105 for
/// another AOPT or MACF, CR-M106 for a coordinate system that does not exist, CR-M108 for vectors that give
/// no direction.
AxesRule axes_rule(const Model& model, const Material& material);

/// That angle, radians.
double angle_of_axes(const Material& material);

/// What an element says itself.
struct OwnAxes {
  double angle = kNoAngle;  ///< radians
  Vec3 a, d;                ///< solids; d = 0: not given
  const Axes* system = nullptr;
};

/// Direction a in the plane of a shell with these corners, in order of the deck (a triangle's last is twice).
/// Throws CR-M105 for AOPT 1 and 4, CR-E105 where the direction is normal to the shell.
Vec3 axis_in_shell(const AxesRule& rule, std::span<const Vec3, 4> corners, const OwnAxes& own);

/// Directions a, b, c in a solid with these corners. Throws CR-E204 where they are not defined.
Axes axes_in_solid(const AxesRule& rule, std::span<const Vec3, 8> corners, const OwnAxes& own);

/// The thickness of a layer along the axis c of a rule with THKDIR. Throws CR-E204 for elements with fewer
/// corners than eight.
double thickness_of_layer(const AxesRule& rule, std::span<const Vec3, 8> corners);

/// The same of an element of the model.
Vec3 shell_axis(const AxesRule& rule, const Model& model, LocalId shell);
Axes solid_axes(const AxesRule& rule, const Model& model, LocalId solid);
double thickness_of_layer(const AxesRule& rule, const Model& model, LocalId solid);

}  // namespace crumple::model
