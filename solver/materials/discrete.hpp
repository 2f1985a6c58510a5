// MAT_S01 and MAT_S02: springs and dampers of discrete elements, in scalar double.
//
// Forces are positive in tension; for torsional elements read moment, rotation and angular velocity. The
// element knows what *SECTION_DISCRETE adds: its scale, offset, dynamic magnification and limits.
#pragma once

#include <memory>

#include "materials/law.hpp"

namespace crumple::materials {

/// LS-DYNA's S laws as the model numbers them.
inline constexpr int kSpringElastic = 1001, kDamperViscous = 1002;

/// Parameters of every discrete law: `Prepared::parameters` points to one.
struct DiscreteLaw {
  int law = 0;
  double stiffness = 0;  ///< S01: K
  double damping = 0;    ///< S02: DC
};

/// What a law leaves behind each step.
struct DiscreteState {
  double force = 0;
  double stiffness = 0;  ///< dF / d elongation, for the stable time step
  double damping = 0;    ///< dF / d velocity
};

Prepared prepare_spring_elastic(const model::Material& material);
Prepared prepare_damper_viscous(const model::Material& material);

/// Force at elongation `d`, velocity of elongation `v` and step `dt`. S01: F = K d. S02: F = DC v.
inline void update_discrete(const DiscreteLaw& law, double d, double v, [[maybe_unused]] double dt,
                            DiscreteState& state) {
  state.stiffness = law.stiffness;
  state.damping = law.damping;
  state.force = law.stiffness * d + law.damping * v;
}

}  // namespace crumple::materials
