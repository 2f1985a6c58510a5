// Freedoms of nodes without mass on which the deck puts something that nothing answers: known before the run.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace crumple::preparation {

/// A node without mass, or without rotational inertia, that is free where something acts on it.
struct MasslessFreedom {
  GlobalId node = 0;
  bool rotation = false;
  std::string by;  ///< what acts: "spring or damper 31"
};

/// Those of the whole model, by ascending node and one each, with ties found already. What acts are springs
/// and dampers along the direction that they have at the start, loads on nodes and pressures. Held counts
/// what is held or moved at any time; what is let go later, or turns, ends the run then (massless_nodes.hpp).
std::vector<MasslessFreedom> find_massless_freedoms(const model::Model& model);

/// Scales what acts on such nodes by 0, as if it were not in the deck: parts that would have given them mass
/// are left out. Returns the nodes' numbers, ascending.
std::vector<GlobalId> release_massless_freedoms(model::Model& model);

}  // namespace crumple::preparation
