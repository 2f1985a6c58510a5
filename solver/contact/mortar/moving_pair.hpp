// A pair of segments in an explicit run: what its forces depend on beside a PairInput, and the function.
#pragma once

#include "contact/mortar/pair.hpp"

namespace crumple::contact::mortar {

struct MovingPair : PairInput {
  /// The pressure gets c dd/dt, c = damping sqrt(dp/dd), as long as it does not pull; 0: none.
  double damping = 0;
  std::array<Vec3, kPairNodes> v{};  ///< velocities; with damping
  double most_shear = HUGE_VAL;      ///< largest shear stress
};

struct MovingPairForces : PairForces {
  double stored = 0;  ///< integral over the area of that of the pressure over the penetration
};

using MovingPairFunction = void (*)(const MovingPair& in, MovingPairForces& out);

/// For an instruction set, or for the best one below it that was compiled.
MovingPairFunction moving_pair_function(elements::Isa isa);

namespace detail {
struct RegisterMovingPair {
  RegisterMovingPair(elements::Isa isa, MovingPairFunction function);
};
}  // namespace detail

}  // namespace crumple::contact::mortar
