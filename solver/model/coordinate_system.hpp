// Coordinate systems that are fixed in space.
#pragma once

#include <array>

#include "base/types.hpp"

namespace crumple::model {

struct CoordinateSystem {
  GlobalId id = 0;
  Vec3 origin;
  std::array<Vec3, 3> axis;  ///< unit x, y, z in the global frame
};

}  // namespace crumple::model
