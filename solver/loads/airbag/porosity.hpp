// Leakage of airbags through porous fabric: FLC and FAC of materials.
#pragma once

#include <string>

#include "loads/airbag/airbag.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

/// Of an airbag that does not use the leakage of its fabric.
void warn_of_porosity(model::Builder& build, const std::string& label, const Airbag& bag);

/// OPT of the airbag: 1 adds an orifice for each porous material of its segments; 0 refuses those, and takes
/// `leak`. Others are refused.
void read_leakage(model::Builder& build, const model::Record& record, const std::string& label,
                  const Orifice& leak, Airbag& bag);

}  // namespace crumple::loads
