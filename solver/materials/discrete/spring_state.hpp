// What springs give to laws that need more than elongation and velocity: time, step and length.
//
// Elements always update with a SpringState (elements/discrete/spring.hpp), so a law may ask for it.
#pragma once

#include "materials/discrete/law.hpp"

namespace crumple::materials {

struct SpringState : DiscreteState {
  double time = 0, dt = 0;  ///< t_n, and the step that ends there
  double length = 0;        ///< at the start; 0 for elements to ground and rotational ones
};

/// The whole of the state that an element or a test has given.
inline const SpringState& spring_state(const DiscreteState& state) {
  return static_cast<const SpringState&>(state);
}

}  // namespace crumple::materials
