// Reads the fields of MAT_261.
#pragma once

#include "materials/prepared.hpp"

namespace crumple::model {
struct Model;
struct Material;
}  // namespace crumple::model

namespace crumple::materials {

/// @throws Error CR-M103 without strengths, CR-M105 for curves in place of numbers and other options that are
/// not supported, CR-M108 for angles and strengths that have no kink band, and what read_shear_curve throws
Prepared prepare_laminated_fracture_pinho(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
