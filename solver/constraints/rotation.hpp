// Finite rotations and small symmetric matrices of rigid bodies, in arithmetic and square roots only.
//
// No sine or cosine: rotations use the Cayley map, so that their bits do not depend on the math library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::constraints {

/// Rows of a 3 x 3 matrix.
using Matrix3 = std::array<Vec3, 3>;

constexpr Vec3 operator*(const Matrix3& m, const Vec3& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}

constexpr Vec3 transpose_times(const Matrix3& m, const Vec3& v) {
  return v.x * m[0] + v.y * m[1] + v.z * m[2];
}

constexpr Matrix3 identity3() { return {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}; }

/// Rotation as a unit quaternion (s, v).
struct Quaternion {
  double s = 1.0;
  Vec3 v;
};
CRUMPLE_MEMBERS(Quaternion, s, v)

constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.s * b.s - dot(a.v, b.v), a.s * b.v + b.s * a.v + cross(a.v, b.v)};
}

inline Quaternion unit(const Quaternion& q) {
  const double r = 1.0 / std::sqrt(q.s * q.s + dot(q.v, q.v));
  return {r * q.s, r * q.v};
}

/// The rotation with Cayley vector `theta`: about `theta` by the angle 2 atan(|theta| / 2).
inline Quaternion cayley(const Vec3& theta) { return unit({1.0, 0.5 * theta}); }

constexpr Matrix3 matrix(const Quaternion& q) {
  const auto [x, y, z] = q.v;
  const double s = q.s;
  return {Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)},
          Vec3{2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)},
          Vec3{2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)}};
}

/// The unit quaternion of a rotation given by rows, with the largest component from the diagonal (Shepperd
/// 1978, "Quaternion from rotation matrix", J. Guidance and Control 1, 223-224).
inline Quaternion quaternion_of(const Matrix3& r) {
  const double trace = r[0].x + r[1].y + r[2].z;
  const std::array<double, 4> square{trace, r[0].x, r[1].y, r[2].z};
  const std::size_t k =
      static_cast<std::size_t>(std::max_element(square.begin(), square.end()) - square.begin());
  const Vec3 twist{r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y};
  if (k == 0) return unit({1.0 + trace, twist});
  const std::size_t i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
  const auto at = [&](std::size_t row, std::size_t column) { return r[row][static_cast<int>(column)]; };
  Vec3 v;
  v[static_cast<int>(i)] = 1.0 + 2.0 * at(i, i) - trace;
  v[static_cast<int>(j)] = at(i, j) + at(j, i);
  v[static_cast<int>(l)] = at(i, l) + at(l, i);
  return unit({twist[static_cast<int>(i)], v});
}

/// Cayley vector of the rotation in `dt`: the fixed point of theta = dt (w_0 + w_1) / 2, where `w_at` gives
/// the angular velocity at an orientation. The mean is taken in axes that rotate with the body (`moving`:
/// this conserves the energy of a free body) or in global axes. Empty if the rotation is too large for the
/// iteration to converge.
template <class AngularVelocity>
std::optional<Vec3> cayley_turn(const Quaternion& start, const Vec3& w_start, double dt, bool moving,
                                AngularVelocity&& w_at) {
  const Matrix3 r_start = matrix(start);
  Vec3 theta = dt * w_start;
  if (theta == Vec3{}) return theta;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Matrix3 r = matrix(unit(cayley(theta) * start));
    Vec3 w_end = w_at(r);
    if (moving) w_end = r_start * transpose_times(r, w_end);
    const Vec3 next = (0.5 * dt) * (w_start + w_end);
    const double change = norm(next - theta);
    theta = next;
    if (change <= 1e-13 * norm(theta) && change >= last) return theta;  // only rounding is left
    if (change == 0.0) return theta;
    last = change;
  }
  if (last <= 1e-10 * norm(theta)) return theta;
  return std::nullopt;
}

/// Eigenvalues, and in the rows of `axis` the unit eigenvectors, of a symmetric matrix.
struct Eigen3 {
  std::array<double, 3> value;
  Matrix3 axis;
};

/// Eigenvalues by cyclic Jacobi rotations (Golub and Van Loan 2013, algorithm 8.5.3).
inline Eigen3 eigen(Matrix3 a) {
  Matrix3 q = identity3();
  for (int sweep = 0; sweep < 50; ++sweep) {
    const double off = std::abs(a[0].y) + std::abs(a[0].z) + std::abs(a[1].z);
    const double size = std::abs(a[0].x) + std::abs(a[1].y) + std::abs(a[2].z);
    if (off <= 1e-17 * size) break;
    for (int p = 0; p < 2; ++p)
      for (int r = p + 1; r < 3; ++r) {
        if (a[p][r] == 0.0) continue;
        const double tau = (a[r][r] - a[p][p]) / (2 * a[p][r]);
        const double t = std::copysign(1.0, tau) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double akp = a[k][p], akr = a[k][r];
          a[k][p] = c * akp - s * akr, a[k][r] = s * akp + c * akr;
        }
        const Vec3 row_p = a[p], row_r = a[r], axis_p = q[p], axis_r = q[r];
        a[p] = c * row_p - s * row_r, a[r] = s * row_p + c * row_r;
        q[p] = c * axis_p - s * axis_r, q[r] = s * axis_p + c * axis_r;
      }
  }
  return {{a[0].x, a[1].y, a[2].z}, q};
}

/// Inverse of a symmetric positive semi-definite matrix in the space where it is not (nearly) singular.
inline Matrix3 pseudo_inverse(const Matrix3& m) {
  const Eigen3 e = eigen(m);
  const double largest = std::max({e.value[0], e.value[1], e.value[2]});
  Matrix3 inverse{};
  for (int k = 0; k < 3; ++k) {
    if (!(e.value[k] > 1e-12 * largest)) continue;
    for (int i = 0; i < 3; ++i) inverse[i] += (e.axis[k][i] / e.value[k]) * e.axis[k];
  }
  return inverse;
}

/// Up to three orthonormal directions: a space that a constraint blocks or leaves free.
struct Directions {
  std::array<Vec3, 3> axis{};
  int count = 0;

  /// Add `d` to the space, unless it is already in it; `d` need not be a unit vector.
  void add(const Vec3& d) {
    if (count == 3) return;
    Vec3 rest = d;
    for (int twice = 0; twice < 2; ++twice)  // a second pass restores orthogonality lost to rounding
      for (int k = 0; k < count; ++k) rest -= dot(rest, axis[k]) * axis[k];
    const double size = norm(rest);
    if (size > 1e-8 * norm(d)) axis[count++] = (1 / size) * rest;
  }
  /// `a` without its part in the space; exactly zero in a global axis that the space contains.
  Vec3 removed_from(Vec3 a) const {
    if (count == 3) return {};
    for (int k = 0; k < count; ++k) a -= dot(a, axis[k]) * axis[k];
    return a;
  }
  /// The part of `a` in the space.
  Vec3 part_of(const Vec3& a) const { return a - removed_from(a); }
  /// The directions orthogonal to all of these.
  Directions complement() const {
    Directions all = *this, rest;
    for (const Vec3& e : identity3()) {
      const int before = all.count;
      all.add(e);
      if (all.count > before) rest.axis[rest.count++] = all.axis[before];
    }
    return rest;
  }
};

}  // namespace crumple::constraints
