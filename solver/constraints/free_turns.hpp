// Turns of many small free bodies in a step, one in each lane; compiled once per instruction set.
#pragma once

#include "constraints/rotation.hpp"
#include "elements/kernel.hpp"

namespace crumple::constraints {

/// A body that turns without moments in a step.
struct FreeTurn {
  Matrix3 inverse{};       ///< of the inertia, in the body's axes
  Vec3 momentum;           ///< angular
  Quaternion orientation;  ///< in: before the step; out: after it
  Vec3 theta;              ///< out: Cayley vector of the turn
  Vec3 w_end;              ///< out: angular velocity after it
  bool found = true;  ///< out: false where it turns too far; then it is that of its first angular velocity
};

/// As `cayley_turn` with `moving` gives it, on every instruction set.
using FindFreeTurns = void (*)(FreeTurn* turns, int number, double dt);

/// The function for an instruction set, or for the best one below it that was compiled.
FindFreeTurns find_free_turns(elements::Isa isa);

namespace detail {
struct RegisterFreeTurns {
  RegisterFreeTurns(elements::Isa isa, const FindFreeTurns& function);
};
}  // namespace detail

}  // namespace crumple::constraints
