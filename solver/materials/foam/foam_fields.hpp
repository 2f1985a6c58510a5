// Fields that the cards of foams share, and the properties of foams that elements use.
#pragma once

#include <memory>

#include "materials/foam/foam_curves.hpp"
#include "materials/foam/unloading.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A law with the curves to which it points.
template <class Law>
struct OwnedFoam {
  Law law;
  std::unique_ptr<FoamCurveStorage> curves;
};

/// Throws CR-M105 unless REF is 0 or 1; shapes come from elsewhere (state/foam_shapes.hpp).
void check_reference_geometry(const model::Material& material);

/// TC, very large if it is not given. Throws CR-M108 if it is negative.
double tension_cutoff(const model::Material& material);

/// HU, SHAPE and EXPON; no HU, or 0, is 1. Throws CR-M108 unless HU lies between 0 and 1, or for negative
/// ones.
FoamUnloading foam_unloading(const model::Material& material);

/// DAMP (or a field of another name), a fraction of critical damping. Throws CR-M105 for a curve, DAMP < 0.
double foam_damping(const model::Material& material, const std::string& field);

/// Density, damping, bulk viscosity by BVFLAG, and the constants for the stable step, without lateral strain:
/// of the modulus max(E, KCON), or, without KCON, max(E, `steepest`), and `beside`.
void set_foam_properties(const model::Material& material, double young, double steepest, double beside,
                         Prepared& prepared);

}  // namespace crumple::materials
