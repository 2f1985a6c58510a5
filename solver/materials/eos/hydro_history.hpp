// History variables by which an element and a law with an equation of state talk.
//
// They are the first of the law's history, and zero at the start. The element gives the mean viscous pressure
// of the step before it calls the law, for the energy; the law gives how much stiffer than at rest its
// pressure is now, and its viscosity, for the speed of sound and the stable step.
#pragma once

namespace crumple::materials {

enum HydroHistory : int {
  kEnergyGained = 0,      ///< internal energy per initial volume, less E0
  kStiffening = 1,        ///< bulk modulus less that at rest, at least 0
  kViscousPressure = 2,   ///< of bulk viscosity, the mean over the step; from the element
  kDynamicViscosity = 3,  ///< 4/3 of the shear viscosity
};
inline constexpr int kHydroVariables = 4;

}  // namespace crumple::materials
