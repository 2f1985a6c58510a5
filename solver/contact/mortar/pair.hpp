// Two segments in mortar contact: what their forces depend on, and the functions that compute these.
//
// One of the segments, here called the first, carries the integration. The other is projected onto the plane
// of the first along its normal n and clipped by it; the polygon that both cover is divided into triangles
// about its centroid, each with six points (Puso and Laursen 2004, "A mortar segment-to-segment contact
// method for large deformation solid mechanics", Comput. Methods Appl. Mech. Eng. 193, 601-629, section 3.4).
// At a point the penetration is
//     d = h - s n . (x_2 - x_1),
// x_1 and x_2 the points of both segments above it, h half of both thicknesses less what IGNORE takes out, s
// = -1 where a shell is touched from behind. The pressure is a parabola, then a line, with a continuous
// slope:
//     p = k e f(d / e),  f(x) = 0 for x < 0, x^2 / 4 for 0 < x < 2, x - 1 beyond
// (the form of the penalty function is that of Borrvall 2012, "Mortar Contact for Implicit Analysis", LS-DYNA
// Forum, Ulm). Nodes get the integrals of their shape functions times p: so uniform pressure on flat segments
// gives the same nodal forces as the elements' stresses do, whatever the other mesh. The point and its
// projection lie on one line along n: forces of a pair without friction have no resultant, neither force nor
// moment.
//
// Segments that do not face each other do not touch: p is multiplied by a factor that is 1 where the normals
// are within 60 degrees of opposite, 0 beyond 75 degrees, a cubic between.
//
// Friction is Coulomb's, by a spring that slides (return mapping; Wriggers 2006,
// "Computational Contact Mechanics", section 10.4). A point's slip in the step is measured between the points
// of the segments that face each other now: with both where they were at its start,
//     ds_i = - e_i . (x_1 - x_2), e_i the axes of the first segment then,
// since the difference has no such component now. A rigid motion of both gives none. Springs are stretched by
// slip that has not slid; the corners of the first segment keep its mean, with their shape functions as
// weights, over what was in contact: the sum of the forces is kept.
#pragma once

#include <array>
#include <cmath>

#include "base/types.hpp"
#include "elements/kernel.hpp"

namespace crumple::contact::mortar {

inline constexpr int kCorners = 4;  ///< of a segment; a triangle does not use its last
inline constexpr int kPairNodes = 2 * kCorners;
inline constexpr int kPairDofs = 3 * kPairNodes;
inline constexpr double kFacingFully = 0.5, kFacingNot = 0.25;  ///< cosines: 60 and 75 degrees

/// Pressure by penetration.
struct PressureLaw {
  double stiffness = 0;  ///< k: pressure over penetration, where it is a line
  double soft = 0;       ///< e: twice this is where the line begins
};

/// Coulomb's law: fd + (fs - fd) exp(- dc v) times the pressure.
struct Friction {
  double fs = 0, fd = 0, dc = 0;
  double stiffness = 0;  ///< shear stress over slip, before it slides
  /// The stiffness leaves out that the limit of shear stress changes with the pressure. That part has no
  /// counterpart: of a matrix that is made symmetric, half of it would be wrong on either side, and Newton's
  /// method converges faster without it.
  bool limit_is_fixed = false;
  bool any() const { return fs > 0 || fd > 0; }
};

/// The first segment's corners first.
struct PairInput {
  std::array<Vec3, kPairNodes> x;
  int corners[2] = {4, 4};
  double side[2] = {1, 1};   ///< -1: touched on the side opposite to the normal
  double thickness = 0;      ///< half of both
  double behind = HUGE_VAL;  ///< what is deeper is not in contact: it belongs to another face of a solid
  std::array<double, kCorners> taken_out{};  ///< penetration that gives no pressure, at the first's corners
  PressureLaw law;
  Friction friction;
  double dt = 0;                       ///< length of the step
  double start[2][kPairNodes] = {};    ///< e_i . x at the start of the step; with friction
  double stretched[2][kCorners] = {};  ///< of springs then, along e_i, at the first's corners
};

struct PairForces {
  std::array<Vec3, kPairNodes> force{};
  bool touches = false;
  double area = 0;                          ///< in contact
  double deepest = 0;                       ///< largest penetration
  double dissipated = 0;                    ///< by friction in the step
  double corner_area[kCorners] = {};        ///< integrals of shape functions over what is in contact
  double corner_stretch[2][kCorners] = {};  ///< the same of the stretch of springs
};

/// How two segments lie, whether or not they face each other so well that they give pressure.
struct Overlap {
  double area = 0;     ///< of the projection
  double height = 0;   ///< mean of n . (x_2 - x_1)
  double deepest = 0;  ///< largest penetration; negative: smallest gap
  double facing = 0;   ///< minus the cosine of the angle between the normals, with their sides
};

/// Axes of the first segment: two along it and its normal.
std::array<Vec3, 3> axes_of(const Vec3* x, int corners);

struct PairFunctions {
  void (*forces)(const PairInput& in, PairForces& out) = nullptr;
  /// Also - d force(i) / d x(j), (kPairDofs, kPairDofs).
  void (*tangent)(const PairInput& in, PairForces& out, double* stiffness) = nullptr;
  Overlap (*overlap)(const PairInput& in) = nullptr;
};

/// For an instruction set, or for the best one below it that was compiled.
const PairFunctions& pair_functions(elements::Isa isa);

namespace detail {
struct RegisterPairFunctions {
  RegisterPairFunctions(elements::Isa isa, const PairFunctions& functions);
};
}  // namespace detail

}  // namespace crumple::contact::mortar
