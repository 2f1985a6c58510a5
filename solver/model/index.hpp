// Indices into the arrays of a model.
#pragma once

#include "base/types.hpp"

namespace crumple::model {

inline constexpr LocalId kNone = -1;

}  // namespace crumple::model
