// Why an element was deleted, in words.
#pragma once

#include <string>

#include "explicit/elements.hpp"
#include "model/model.hpp"

namespace crumple::control {

/// "failure strain FAIL of *MAT_... 3", "step below TDEL of ...": the known cause. If a material has several
/// criteria all are named, because elements do not store which one it was.
std::string why_deleted(const model::Model& model, const explicit_dynamics::ElementName& element,
                        explicit_dynamics::DeletionCause cause);

}  // namespace crumple::control
