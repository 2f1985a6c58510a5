// The cards of honeycombs, MAT_026 and MAT_126.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// `by_strain`: curves over the strain of each axis, MAT_126. Throws CR-M103 for moduli, SIGY and curves that
/// are missing, CR-M105 for other yield surfaces and reference geometries, CR-M106 and CR-M107 for curves
/// that do not exist or cannot be used, CR-M108 unless VF lies between 0 and 1.
Prepared prepare_honeycomb(const model::Model& model, const model::Material& material, bool by_strain);

}  // namespace crumple::materials
