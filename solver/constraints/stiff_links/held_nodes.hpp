// Which nodes *BOUNDARY holds or moves, at any time.
#pragma once

#include <array>
#include <cstddef>
#include <map>

#include "constraints/rotation.hpp"
#include "model/model.hpp"

namespace crumple::constraints {

class NodesHeld {
 public:
  explicit NodesHeld(const model::Model& model);

  /// Whether a constraint or a motion acts on the node.
  bool any(LocalId node) const { return held_.contains(node); }
  /// Whether constraints hold all its translations, or rotations, in the whole run.
  bool all_translations(LocalId node) const { return count(node, 0) == 3; }
  bool all_rotations(LocalId node) const { return count(node, 1) == 3; }

 private:
  int count(LocalId node, std::size_t turns) const;

  std::map<LocalId, std::array<Directions, 2>> held_;  ///< of nodes that are held or moved in any way
};

}  // namespace crumple::constraints
