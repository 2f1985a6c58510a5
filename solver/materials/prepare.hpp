// What the laws' files share when they read a material's fields: checks and their messages.
//
// Error ids: CR-M101 no such law, M102 density, M103 a field must be positive, M104 Poisson's ratio,
// M105 an option that is not supported, M106 unknown curve or table, M107 an unusable curve, M108 a field
// out of range.
#pragma once

#include <string>

#include "materials/law.hpp"
#include "model/model.hpp"

namespace crumple::materials {

/// Throw Error `id` naming the material and its place in the deck.
[[noreturn]] void refuse(const model::Material& material, const std::string& id, const std::string& field,
                         const std::string& what);

/// A field that must be > 0. Throws CR-M103.
double positive_field(const model::Material& material, const std::string& field);

/// RO, which must be positive. Throws CR-M102.
double checked_density(const model::Material& material);

/// `poisson` if it lies between -1 and 0.5. Throws CR-M104.
double checked_poisson(const model::Material& material, double poisson);

Elastic elastic_constants(double young, double poisson);

/// Density, elastic constants from E and PR, and the number of the law; no parameters yet. Throws
/// CR-M102 to CR-M104.
Prepared prepare_isotropic(const model::Material& material, int law);

}  // namespace crumple::materials
