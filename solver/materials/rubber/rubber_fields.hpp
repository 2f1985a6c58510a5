// Fields that the cards of MAT_077_O and MAT_077_H share.
#pragma once

#include "materials/prepare.hpp"
#include "materials/viscoelastic/prony.hpp"

namespace crumple::materials {

inline constexpr int kMostRubberTerms = 12;  ///< of the Prony series

/// Throws CR-M105 for constants from a fit (N), frictional damping (G, SIGF), reference geometry, and VFLAG.
void refuse_rubber_options(const model::Material& material);

/// Density, history and elastic constants at rest, for the shear modulus of slow loading and PR; returns the
/// bulk modulus. Throws CR-M104 unless PR is positive and below 0.5.
double set_rubber_properties(const model::Material& material, double shear, const PronySeries& prony,
                             Prepared& prepared);

}  // namespace crumple::materials
