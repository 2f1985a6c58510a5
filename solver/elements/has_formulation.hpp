// Whether there is an element for what a deck asks for.
#pragma once

#include "model/element_kind.hpp"

namespace crumple::elements {

/// Whether a formulation of this kind and number is registered.
bool has_formulation(model::ElementKind kind, int elform);

}  // namespace crumple::elements
