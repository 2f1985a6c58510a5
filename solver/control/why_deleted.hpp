// Why an element was deleted, in words.
#pragma once

#include <string>

#include "explicit/elements.hpp"
#include "model/model.hpp"

namespace crumple::control {

/// "failure strain FAIL of *MAT_... 3", "step below TDEL of ...": what is known of the cause. Where a
/// material has several criteria all are named, as elements do not say which it was.
std::string why_deleted(const model::Model& model, const explicit_dynamics::ElementName& element,
                        explicit_dynamics::DeletionCause cause);

}  // namespace crumple::control
