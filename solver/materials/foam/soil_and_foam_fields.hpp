// Reads the fields of MAT_005 and MAT_014.
#pragma once

#include "materials/prepared.hpp"

namespace crumple::model {
struct Model;
struct Material;
}  // namespace crumple::model

namespace crumple::materials {

/// @throws Error CR-M103 without G or KUN, CR-M106 and CR-M107 for its curve, CR-M108 for fields out of range
Prepared prepare_soil_and_foam(const model::Model& model, const model::Material& material);

/// The same fields, of MAT_014.
Prepared prepare_soil_and_foam_failure(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
