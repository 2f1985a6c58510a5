// Fields that several J2 laws read in the same way.
#pragma once

#include <optional>
#include <string>

#include "materials/plasticity/j2_law.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A curve of positive values, as it is. Throws CR-M107: two points or more, increasing abscissae, positive
/// ordinates.
const model::Curve& checked_curve(const model::Material& material, const std::string& field,
                                  const model::Curve& curve);
/// The curve that a field names. Throws CR-M106 if there is none, and what checked_curve throws.
const model::Curve& flow_curve(const model::Model& model, const model::Material& material,
                               const std::string& field);
/// The points of EPS1-8 and ES1-8 up to the last that is not all zero, if there are any. Throws what
/// checked_curve throws.
std::optional<model::Curve> flow_points(const model::Material& material);
/// E_p = E ETAN / (E - ETAN). Throws CR-M108 unless 0 <= ETAN < E.
double plastic_modulus_from_etan(const model::Material& material);
/// The failure strain in `field`; 0 means none. Throws CR-M105 for a negative one.
void set_failure_strain(const model::Material& material, const std::string& field, J2Law& law);
/// VP: -1 deviatoric rate, 0 total rate, 1 viscoplastic. Throws CR-M105 for others.
void set_viscoplastic(const model::Material& material, J2Law& law);
/// Set `least_yield`, after all other parameters.
void set_least_yield(J2Law& law);
/// Cowper and Symonds' constants, none if both are 0. Throws CR-M108 for one without the other.
void set_cowper_symonds(const model::Material& material, const std::string& c_field,
                        const std::string& p_field, J2Law& law);

}  // namespace crumple::materials
