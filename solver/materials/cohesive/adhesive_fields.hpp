// The thickness of a layer up to which MAT_169 can dissipate its energies.
#pragma once

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

/// A strength of so many times Young's modulus is none; single precision has its square.
inline constexpr double kHugeStrength = 1e3;

/// Share of the energy of shear that its plateau takes, 2 SHRP / (1 + SHRP).
double share_of_plateau(const model::Material& material);

/// A layer of this thickness stores the energy of a mode when it yields; 0 for other laws and
/// without strengths. The energy that
/// softening takes in a layer of thickness h is G (1 - share), that stored is strength^2 h / 2 modulus.
double thickest_adhesive(const model::Material& material);

}  // namespace crumple::materials
