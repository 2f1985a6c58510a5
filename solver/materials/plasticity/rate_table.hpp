// A flow curve, or a table of flow curves over the rate of plastic strain.
#pragma once

#include <optional>
#include <string>

#include "materials/plasticity/j2_law.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Sets the curves of `law` from the field; a table of several is over the rate of plastic strain, or its
/// natural logarithm if the first is negative. Throws CR-M103 without a number, CR-M106 if there is no such
/// curve or table, CR-M107 for what cannot be used.
void read_rate_table(const model::Model& model, const model::Material& material, const std::string& field,
                     std::optional<FlowCurveStorage>& storage, J2Law& law);

}  // namespace crumple::materials
