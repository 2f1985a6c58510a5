// Angles of *CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION, and the directions of the moments dual to them.
//
// The z axis of A turns to that of B by the angle alpha, 0 to pi, about n = z_A x z_B / sin alpha: the
// flexion. Its direction gamma is the angle, from x_A towards y_A, of z_B's part in their plane. What is left
// is a turn by beta about z_B: the torsion (Dobrowolski 2015, Swing-twist decomposition in Clifford algebra).
// With the relative angular velocity w = w_B - w_A
//     d alpha/dt = w . n,  d gamma/dt = w . (z_A - cot alpha r),
//     d beta/dt = w . (z_A + z_B) / (1 + cos alpha),
// where r is the unit vector along z_B's part across z_A. So a moment M_alpha n + M_beta (z_A + z_B) /
// (1 + cos alpha) has the power M_alpha d alpha/dt + M_beta d beta/dt. At alpha = 0 the flexion has no
// direction, and at alpha = pi the torsion none: there the vectors are zero.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/types.hpp"

namespace crumple::constraints {

struct FlexionTorsion {
  double alpha = 0, gamma = 0, beta = 0;
  Vec3 of_alpha, of_gamma, of_beta;  ///< rates are w times these
};

/// The turn that takes z_A to z_B about s = z_A x z_B, on a vector (Rodrigues).
inline Vec3 swung(const Vec3& v, const Vec3& s, double cosine) {
  return cosine * v + cross(s, v) + (dot(s, v) / (1.0 + cosine)) * s;
}

/// @param a, b unit axes of A and B
/// @param last_gamma where there is no flexion
inline FlexionTorsion flexion_torsion(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                                      double last_gamma) {
  constexpr double kNoDirection = 1e-9;  // sine, or 1 + cosine, below which a direction is lost
  FlexionTorsion f;
  const Vec3 s = cross(a[2], b[2]);
  const double sine = norm(s), cosine = dot(a[2], b[2]);
  f.alpha = std::atan2(sine, cosine);
  f.gamma = last_gamma;
  if (sine > kNoDirection) {
    f.gamma = std::atan2(dot(a[1], b[2]), dot(a[0], b[2]));
    f.of_alpha = (1.0 / sine) * s;
    f.of_gamma = a[2] - (cosine / sine) * cross(f.of_alpha, a[2]);
  }
  if (1.0 + cosine > kNoDirection) {
    const Vec3 x = swung(a[0], s, cosine);
    f.beta = std::atan2(dot(b[2], cross(x, b[0])), dot(x, b[0]));
    f.of_beta = (1.0 / (1.0 + cosine)) * (a[2] + b[2]);
  }
  return f;
}

}  // namespace crumple::constraints
