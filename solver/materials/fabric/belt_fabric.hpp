// The fabric between the rows of a belt of shells: *MAT_SEATBELT in shells.
#pragma once

#include "materials/prepared.hpp"

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

/// The field by which a material asks for it: 1. Its other fields are EB and GAB, the moduli across the belt
/// and in shear, RO, DAMP, and CSE, with 1 for no compression.
inline constexpr const char* kBeltFabric = "BELT.FABRIC";

/// A fabric that does not resist along its axis a, where the rows of the belt carry (loads/belts/), so that
/// the belt's material can pass through its elements. Across it is linear in second Piola-Kirchhoff stress
/// and Green's strain, as in shear. Throws CR-M102, CR-M103 and CR-M108.
Prepared prepare_belt_fabric(const model::Material& material);

}  // namespace crumple::materials
