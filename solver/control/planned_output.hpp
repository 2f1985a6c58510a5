// What a run will write and when, for predictions of disk space.
#pragma once

#include <string>

#include "model/model.hpp"

namespace crumple::control {

/// End time, intervals of result files in deck units, and cycles between dumps: a member "output" of a JSON
/// object, which begins with a comma. What is not asked for is left out.
std::string planned_output(const model::Model& model);

}  // namespace crumple::control
