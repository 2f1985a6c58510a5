// Prepares a material of the model for elements. Also the checks, with their messages, that laws share when
// they read fields.
//
// Error ids: CR-M101 no such law, M102 density, M103 a field must be positive, M104 Poisson's ratio,
// M105 an option that is not supported, M106 unknown curve or table, M107 an unusable curve, M108 a field
// out of range, M109 a law needs data that elements do not give, M110 there is no routine of a user's own
// law, M111 elastic constants are not positive definite.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/error.hpp"
#include "materials/prepared.hpp"
#include "materials/row.hpp"
#include "model/model.hpp"

namespace crumple::materials {

/// Build the parameter struct of a law from the model. Throws Error CR-M... with the material's place
/// for missing density, a negative modulus, an unknown curve or a law that is not supported.
Prepared prepare(const model::Model& model, const model::Material& material);

/// Throws CR-M109 where a material's law needs data that `elements` (a name) do not give.
void check_needs(const Needs& needs, const model::Material& material, const Needs& gives,
                 const std::string& elements);

/// Throw Error `id` naming the material and its place in the deck.
[[noreturn]] void refuse(const model::Material& material, const std::string& id, const std::string& field,
                         const std::string& what);

/// A field that must be > 0. Throws CR-M103.
double positive_field(const model::Material& material, const std::string& field);

/// A field that must be >= 0. Throws CR-M108.
double not_negative_field(const model::Material& material, const std::string& field);

/// RO, which must be positive. Throws CR-M102.
double checked_density(const model::Material& material);

/// `poisson` if it lies between -1 and 0.5. Throws CR-M104.
double checked_poisson(const model::Material& material, double poisson);

Elastic elastic_constants(double young, double poisson);

/// Density and elastic constants from E and PR; no parameters yet. Throws CR-M102 to CR-M104.
Prepared prepare_isotropic(const model::Material& material);

/// Sets the parameters.
template <class P>
Prepared prepared_with(const P& law) {
  Prepared prepared;
  prepared.parameters = std::make_shared<P>(law);
  return prepared;
}

}  // namespace crumple::materials
