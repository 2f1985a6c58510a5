// The mean rotation of a segment whose nodes have no rotations.
#pragma once

#include <array>
#include <cmath>

#include "constraints/rotation.hpp"

namespace crumple::contact {

/// Mean rotation of up to four points about their centre, in the sense of least squares, and its transpose
/// for moments.
class MeanRotation {
 public:
  MeanRotation(const std::array<Vec3, 4>& x, int corners) : corners_(corners) {
    Vec3 centre;
    for (int a = 0; a < corners; ++a) centre += (1.0 / corners) * x[a];
    constraints::Matrix3 k{};
    for (int a = 0; a < corners; ++a) {
      r_[a] = x[a] - centre;
      for (int i = 0; i < 3; ++i) {
        k[i] -= r_[a][i] * r_[a];
        k[i][i] += dot(r_[a], r_[a]);
      }
    }
    inverse_ = constraints::pseudo_inverse(k);
  }

  /// Spin of points with these velocities.
  Vec3 spin(const std::array<Vec3, 4>& v) const {
    Vec3 sum;
    for (int a = 0; a < corners_; ++a) sum += cross(r_[a], v[a]);
    return constraints::operator*(inverse_, sum);
  }

  /// Upper bound of the force on point `a` from a unit moment.
  double reach(int a) const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += dot(inverse_[i], inverse_[i]);
    return std::sqrt(sum * dot(r_[a], r_[a]));
  }

  /// Force on point `a`; the forces of all points have the moment m and the sum zero.
  Vec3 force(const Vec3& m, int a) const { return cross(constraints::operator*(inverse_, m), r_[a]); }

 private:
  int corners_;
  std::array<Vec3, 4> r_{};
  constraints::Matrix3 inverse_{};
};

}  // namespace crumple::contact
