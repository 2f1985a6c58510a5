// Finds, before the run, loads on nodes without mass that no constraint takes.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace crumple::preparation {

/// A node without mass, or without rotational inertia, with a load in a free direction.
struct MasslessFreedom {
  GlobalId node = 0;
  bool rotation = false;
  std::string by;  ///< name of the load: "spring or damper 31"
};

/// Massless freedoms of the whole model, at most one per node, ascending. Ties must have been found. Loads
/// are springs and dampers in their initial direction, loads on nodes, and pressures. A direction that is
/// held or moved at any time counts as held; if it is released later, or rotates, the run ends then
/// (massless_nodes.hpp).
std::vector<MasslessFreedom> find_massless_freedoms(const model::Model& model);

/// Scales the loads on such nodes by 0, as if they were not in the deck, because parts that would have given
/// them mass are left out. Returns the nodes' numbers, ascending.
std::vector<GlobalId> release_massless_freedoms(model::Model& model);

}  // namespace crumple::preparation
