// Which nodes *BOUNDARY holds or moves, at any time.
#pragma once

#include <map>

#include "constraints/rotation.hpp"
#include "model/model.hpp"

namespace crumple::constraints {

class NodesHeld {
 public:
  explicit NodesHeld(const model::Model& model);

  /// Whether a constraint or a motion acts on the node.
  bool any(LocalId node) const { return rotations_.contains(node); }
  /// Whether these hold or move all its rotations in the whole run.
  bool all_rotations(LocalId node) const;

 private:
  std::map<LocalId, Directions>
      rotations_;  ///< of nodes that are held or moved in any way: those of the whole run
};

}  // namespace crumple::constraints
