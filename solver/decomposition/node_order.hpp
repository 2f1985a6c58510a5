// The order in which nodes lie in memory.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace crumple::decomposition {

/// All nodes in the order in which elements come to them: part by part, as they are computed, those of rigid
/// bodies last; then nodes that no element has. What an element is the first to touch then follows what the
/// one before it touched, whatever numbers the deck gave.
std::vector<LocalId> node_order(const model::Model& whole);

}  // namespace crumple::decomposition
