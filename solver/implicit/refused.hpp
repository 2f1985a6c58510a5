// What implicit analysis does not have yet, by name.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace crumple::implicit {

/// A line for each kind of input of an implicit run whose physics or results are not there.
std::vector<std::string> refused(const model::Model& model);

/// A line for each kind of input that has no effect: in statics, or in any implicit run.
std::vector<std::string> without_effect(const model::Model& model);

}  // namespace crumple::implicit
