// Reads the gases of *AIRBAG_HYBRID, and holes between bags.
#pragma once

#include <string>

#include "loads/airbag/airbag.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

/// The segments of `bag` are already there. Reports what is missing, wrong or not supported.
void read_hybrid_gas(model::Builder& build, const model::Record& record, const std::string& label,
                     Airbag& bag);
/// *AIRBAG_INTERACTION, when all airbags have been read.
void read_bag_links(model::Builder& build);

}  // namespace crumple::loads
