// What bndout writes of a load on one node.
#pragma once

#include "model/index.hpp"

namespace crumple::loads {

struct ForceOnNode {
  LocalId node = model::kNone;
  Vec3 force;       ///< the last; 0 for a moment
  double work = 0;  ///< since the start
};

}  // namespace crumple::loads
