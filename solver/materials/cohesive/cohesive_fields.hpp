// What cohesive laws read alike: density, ROFLG, INTFAIL, limits.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "materials/prepare.hpp"

namespace crumple::materials {

/// ROFLG and INTFAIL. Throws CR-M108 for values that mean nothing.
Cohesive cohesive_options(const model::Material& material);

/// A limit that must not be negative; infinite where it is 0.
double limit_field(const model::Material& material, const std::string& field);

/// Density, options and largest stiffness; no parameters yet. A law keeps damage beside `n_history`
/// variables.
Prepared prepare_cohesive(const model::Material& material, double stiffness, int n_history = 0);

}  // namespace crumple::materials
