// Reads the gas of *AIRBAG_SIMPLE_AIRBAG_MODEL and *AIRBAG_WANG_NEFSKE.
#pragma once

#include <string>

#include "loads/airbag/airbag.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

/// The segments of `bag` are already there. Report what is missing, wrong or not supported.
void read_simple_gas(model::Builder& build, const model::Record& record, const std::string& label,
                     Airbag& bag);
void read_wang_nefske_gas(model::Builder& build, const model::Record& record, const std::string& label,
                          Airbag& bag);

}  // namespace crumple::loads
