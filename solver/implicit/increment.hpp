// The increment of a step at the nodes of a rank, and what acts on them, as vectors in global axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/types.hpp"
#include "constraints/rotation.hpp"

namespace crumple::implicit {

/// Displacement and rotation of each node in a step. The rotation is the vector w dt, as elements take it
/// (elements/tangent.hpp). They compare it with the spin of the step's chord at its middle, which for a rigid
/// rotation by an angle a is 2 tan(a / 2) about its axis (Hughes and Winget 1980): so it is Cayley's vector.
struct Increment {
  AlignedVector<Vec3> u, turn;

  explicit Increment(std::size_t nodes = 0) : u(nodes), turn(nodes) {}
  void clear() {
    std::ranges::fill(u, Vec3{});
    std::ranges::fill(turn, Vec3{});
  }
};

/// Cayley's vector of a rotation by an angle about an axis, given as their product; and back.
inline Vec3 cayley_of(const Vec3& rotation) {
  const double angle = norm(rotation);
  return angle > 0.0 ? (2.0 * std::tan(0.5 * angle) / angle) * rotation : rotation;
}
inline Vec3 rotation_of(const Vec3& cayley) {
  const double size = norm(cayley);
  return size > 0.0 ? (2.0 * std::atan(0.5 * size) / size) * cayley : cayley;
}

/// Cayley's vector of a rotation `first` followed by `then`: the product of the quaternions (1, v / 2).
inline Vec3 cayley_product(const Vec3& first, const Vec3& then) {
  return (1.0 / (1.0 - 0.25 * dot(then, first))) * (then + first + 0.5 * cross(then, first));
}
/// Rows of the derivative of cayley_product(turn, then) by `then` at then = 0.
inline constraints::Matrix3 by_later_turn(const Vec3& turn) {
  const Vec3 h = 0.5 * turn;
  return {Vec3{1 + h.x * h.x, h.x * h.y + h.z, h.x * h.z - h.y},
          Vec3{h.y * h.x - h.z, 1 + h.y * h.y, h.y * h.z + h.x},
          Vec3{h.z * h.x + h.y, h.z * h.y - h.x, 1 + h.z * h.z}};
}

/// Force and moment on each node.
struct NodalForces {
  AlignedVector<Vec3> force, moment;

  explicit NodalForces(std::size_t nodes = 0) : force(nodes), moment(nodes) {}
  void clear() {
    std::ranges::fill(force, Vec3{});
    std::ranges::fill(moment, Vec3{});
  }
};

}  // namespace crumple::implicit
