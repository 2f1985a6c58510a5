// What the deck's readers ask of formulations.
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"
#include "model/element_kind.hpp"

namespace crumple::elements {

/// Whether a formulation of this kind and number is registered.
bool has_formulation(model::ElementKind kind, int elform);

/// Layers through the thickness that a formulation has whatever its section says; 0: as many as that says.
int fixed_layers(model::ElementKind kind, int elform);

/// The formulation that computes an element, and the element's nodes in that formulation's order.
struct Form {
  int elform = 0;
  std::vector<LocalId> nodes;
};

/// The form of an element with `corners` in the order of the deck, for which its section asks `elform`. An
/// element with repeated corners may have another formulation: a quadrilateral becomes a triangle, a brick a
/// tetrahedron or a wedge.
Form form_of(model::ElementKind kind, int elform, std::span<const LocalId> corners);

}  // namespace crumple::elements
