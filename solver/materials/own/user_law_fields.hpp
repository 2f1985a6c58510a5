// Reads the fields of a user's own law.
#pragma once

#include "materials/prepared.hpp"

namespace crumple::model {
struct Model;
struct Material;
}  // namespace crumple::model

namespace crumple::materials {

/// @throws Error CR-M103, CR-M105, CR-M108 for fields; CR-M110 where no library has the routine
Prepared prepare_user_law(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
