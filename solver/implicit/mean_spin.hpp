// The mean rotation of points with weights, in the sense of least squares, at one configuration.
//
// Spin W = K^-1 sum w_i r_i x v_i, K = sum w_i (r_i . r_i I - r_i r_i), r_i from the weighted centre, as the
// explicit solver's interpolations and ties of solids have it (constraints/interpolations.hpp).
#pragma once

#include <span>
#include <vector>

#include "constraints/rotation.hpp"

namespace crumple::implicit {

/// A 3 x 3 matrix of v x: the derivative of v x w by w.
inline constraints::Matrix3 cross_product_matrix(const Vec3& v) {
  return {Vec3{0, -v.z, v.y}, Vec3{v.z, 0, -v.x}, Vec3{-v.y, v.x, 0}};
}
inline constraints::Matrix3 product(const constraints::Matrix3& a, const constraints::Matrix3& b) {
  return {constraints::transpose_times(b, a[0]), constraints::transpose_times(b, a[1]),
          constraints::transpose_times(b, a[2])};
}
inline constraints::Matrix3 scaled(double s, constraints::Matrix3 m) {
  for (Vec3& row : m) row *= s;
  return m;
}
inline constraints::Matrix3 sum(constraints::Matrix3 a, const constraints::Matrix3& b) {
  for (std::size_t i = 0; i < 3; ++i) a[i] += b[i];
  return a;
}
/// a b'
inline constraints::Matrix3 outer(const Vec3& a, const Vec3& b) { return {a.x * b, a.y * b, a.z * b}; }

/// What a mass at the end of an arm adds to an inertia.
inline constraints::Matrix3 inertia_of_arm(double mass, const Vec3& r) {
  return scaled(mass, sum(scaled(dot(r, r), constraints::identity3()), scaled(-1.0, outer(r, r))));
}

/// @param weight of sum 1, of each point
/// @param arm out: from the centre; (points)
/// @returns K^-1
inline constraints::Matrix3 inverse_of_spread(std::span<const double> weight, std::span<const Vec3> x,
                                              std::span<Vec3> arm) {
  Vec3 centre;
  for (std::size_t i = 0; i < x.size(); ++i) centre += weight[i] * (x[i] - x[0]);
  centre += x[0];
  constraints::Matrix3 k{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    arm[i] = x[i] - centre;
    for (int a = 0; a < 3; ++a) {
      k[at(a)] -= (weight[i] * arm[i][a]) * arm[i];
      k[at(a)][a] += weight[i] * dot(arm[i], arm[i]);
    }
  }
  return constraints::pseudo_inverse(k);
}

}  // namespace crumple::implicit
