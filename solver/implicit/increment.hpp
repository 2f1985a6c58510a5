// The increment of a step at the nodes of a rank, and what acts on them, as vectors in global axes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/types.hpp"

namespace crumple::implicit {

/// Displacement and rotation of each node in a step. The rotation is the vector w dt of a constant angular
/// velocity, as elements take it (elements/tangent.hpp).
struct Increment {
  AlignedVector<Vec3> u, turn;

  explicit Increment(std::size_t nodes = 0) : u(nodes), turn(nodes) {}
  void clear() {
    std::ranges::fill(u, Vec3{});
    std::ranges::fill(turn, Vec3{});
  }
};

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
