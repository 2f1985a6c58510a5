// Loads on nodes, faces and bodies.
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
/// shell (*LOAD_SHELL); it ends when the shell is deleted.
struct PressureLoad {
  std::array<LocalId, 4> nodes{};
  LocalId shell = kNone;  ///< kNone: a segment by its nodes
  LocalId curve = kNone;
  double scale = 1.0;
  double arrival = 0.0;
};

/// Base acceleration (*LOAD_BODY_X, _Y, _Z) or angular velocity about an axis through `centre` (_RX, _RY,
/// _RZ).
///
/// The coordinate system is accelerated: a positive value gives every node an inertia force in the NEGATIVE
/// direction of the axis, so gravity towards -z is a positive *LOAD_BODY_Z. An angular velocity gives forces
/// radially outward.
struct BodyLoad {
  int axis = 0;  ///< 0-2 translation, 3-5 rotation
  LocalId curve = kNone;
  LocalId relaxation_curve = kNone;  ///< LCIDDR: replaces `curve` in dynamic relaxation
  double scale = 1.0;
  Vec3 centre;
  std::vector<LocalId> parts;  ///< empty: everything (*LOAD_BODY_PARTS)
};

/// *LOAD_RIGID_BODY: a force at the centre of mass, or a moment.
struct RigidBodyLoad {
  LocalId body = kNone;
  bool moment = false;
  Vec3 direction;
  LocalId curve = kNone;
  double scale = 1;
};

}  // namespace crumple::model
