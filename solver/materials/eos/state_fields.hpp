// The equation of state of a material from the deck, in its fields EOS.*.
#pragma once

#include "materials/eos/equation_of_state.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Whether the law has deviators only in solids: its parts of solids need an equation of state.
constexpr bool is_hydrodynamic(int law) { return law == 9 || law == 10 || law == 15; }

/// Whether the material has one.
bool has_equation_of_state(const model::Material& material);

/// Throws CR-M102 to CR-M108 for fields that are wrong, CR-M105 for options that are not supported.
EquationOfState equation_of_state(const model::Material& material);

/// Density and elastic constants at rest of a material with the shear modulus.
Prepared prepare_hydrodynamic(const model::Material& material, const EquationOfState& eos, double shear);

}  // namespace crumple::materials
