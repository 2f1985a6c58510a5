// Loads, airbags and rigid walls.
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

/// Base acceleration (*LOAD_BODY_X, _Y, _Z) or angular velocity about an axis through `centre` (_RX, _RY,
/// _RZ).
///
/// It is the coordinate system that is accelerated: a positive value gives every node an inertia force in the
/// NEGATIVE direction of the axis, so gravity that pulls towards -z is a positive *LOAD_BODY_Z. An angular
/// velocity gives forces radially outward.
struct BodyLoad {
  int axis = 0;  ///< 0-2 translation, 3-5 rotation
  LocalId curve = kNone;
  LocalId relaxation_curve = kNone;  ///< LCIDDR: in its place in dynamic relaxation
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

enum class WallShape : std::int8_t { plane, finite_plane, cylinder, sphere, prism };

/// *RIGIDWALL_PLANAR, _GEOMETRIC.
struct RigidWall {
  GlobalId id = 0;
  std::string title;
  WallShape shape{};
  Vec3 point, normal;  ///< tail of the normal (or centre); outward unit normal or axis
  Vec3 edge1, edge2;   ///< finite planes, prisms: unit edge directions; edge2 = normal x edge1
  double length1 = 0, length2 = 0, length3 = 0;  ///< edge lengths or radius and axis length; 0: infinite
  double friction = 0;                           ///< FRIC: 0, 1 (no sliding) or a coefficient
  double critical_velocity = 0;                  ///< WVEL
  double birth = 0, death = kNever;
  bool moving = false;  ///< _MOVING: free mass with an initial velocity
  double mass = 0, v0 = 0;
  LocalId motion_curve = kNone;  ///< geometric _MOTION: along `motion_direction`
  int motion_kind = 0;           ///< 0 velocity, 1 displacement
  Vec3 motion_direction;
  std::vector<LocalId> nodes;  ///< tracked nodes, ascending user id
};

}  // namespace crumple::model
