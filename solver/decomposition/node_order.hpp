// The order of nodes in memory.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace crumple::decomposition {

/// All nodes in the order in which elements use them: part by part, as they are computed, rigid bodies last;
/// then nodes without elements. So the new nodes of an element follow those of the element before it,
/// whatever the numbers in the deck.
std::vector<LocalId> node_order(const model::Model& whole);

}  // namespace crumple::decomposition
