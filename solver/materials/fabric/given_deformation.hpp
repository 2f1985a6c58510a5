// What membrane elements give to laws of fabrics beside strain increments, and what they ask of these laws.
//
// A law whose row needs `deformation_gradient` and `material_axes` has these history variables first, which
// the element writes before each update (elements/shell/reference_shape.hpp), and a Weave as the first member
// of its parameters.
#pragma once

#include "base/types.hpp"

namespace crumple::materials {

/// F - 1 at the end of the step from the fabric's axes a, b in the reference to the element's axes x, y:
/// xa, ya, xb, yb.
inline constexpr int kGivenGradient = 0;
/// Green's strain in the fabric's axes: aa, bb, ab (the tensor's).
inline constexpr int kGivenStrain = 4;
/// The fabric's axis a in the element's axes at the start: cosine - 1, sine. Constant.
inline constexpr int kGivenAxes = 7;
inline constexpr int kGiven = 9;

/// What an element needs of the parameters: AOPT and its data, and DAMP.
struct Weave {
  int option = 0;  ///< 0: side 1-2; 2: `vector`, projected; 3: `vector` x normal
  Vec3 vector;
  double angle = 0;    ///< from there to the axis a about the normal, in radians
  double damping = 0;  ///< fraction of critical damping
  /// Whether the fabric passes through its elements along a, as belts do through rings: the reference of this
  /// direction is the present length, so that there is no strain along it.
  bool slides = false;
};

}  // namespace crumple::materials
