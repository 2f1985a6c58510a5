// Groups of nodes that welds and ties link, so that a rank has all nodes of a group.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace crumple::model {

/// Groups of nodes that *CONSTRAINED_SPOTWELD, *CONSTRAINED_GENERALIZED_WELD_SPOT and *CONSTRAINED_NODE_SET
/// link, directly or through others; each node is in one group at most. Nodes ascend in a group.
std::vector<std::vector<LocalId>> linked_nodes(const Model& model);

}  // namespace crumple::model
