// The fields of MAT_181.
#pragma once

#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M105 for tables, curves of unloading and what simplified_rubber_fields.cpp lists, CR-M106 if
/// there is no curve, CR-M107 for one that is not usable.
Prepared prepare_simplified_rubber(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
