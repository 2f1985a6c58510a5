// Loads on nodes and faces.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/index.hpp"
#include "model/never.hpp"

namespace crumple::model {

/// Force or moment on a node or a rigid body's node (*LOAD_NODE).
struct NodalLoad {
  LocalId node = kNone;
  int dof = 0;  ///< 1-3 force, 5-7 moment, 4/8 follower
  LocalId curve = kNone;
  double scale = 1.0;
  std::array<LocalId, 3> follower{kNone, kNone, kNone};
};

/// Pressure on a segment (*LOAD_SEGMENT), positive against the segment's normal as in the manual, or on a
/// shell (*LOAD_SHELL), with which it ends.
struct PressureLoad {
  std::array<LocalId, 4> nodes{};
  LocalId shell = kNone;  ///< kNone: a segment, whatever has its nodes
  LocalId curve = kNone;
  double scale = 1.0;
  double arrival = 0.0;
};

}  // namespace crumple::model
