// *RIGIDWALL_PLANAR, _GEOMETRIC, _FORCE_TRANSDUCER: input of rigid walls and of what measures them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::loads {

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
  double birth = 0, death = model::kNever;
  bool moving = false;  ///< _MOVING: free mass with an initial velocity
  double mass = 0, v0 = 0;
  LocalId motion_curve = model::kNone;  ///< geometric _MOTION: along `motion_direction`
  int motion_kind = 0;                  ///< 0 velocity, 1 displacement
  Vec3 motion_direction;
  std::vector<LocalId> nodes;  ///< tracked nodes, ascending user id
};

template <class V>
void fields(V& v, RigidWall& s) {
  model::members(v, s, s.id, s.title, s.shape, s.point, s.normal, s.edge1, s.edge2, s.length1, s.length2,
                 s.length3, s.friction, s.critical_velocity, s.birth, s.death, s.moving, s.mass, s.v0,
                 model::curves_of(s.motion_curve), s.motion_kind, s.motion_direction,
                 model::nodes_of(s.nodes));
}

/// *RIGIDWALL_FORCE_TRANSDUCER: measures the force of a wall on some nodes.
struct WallTransducer {
  GlobalId id = 0;
  std::string title;
  std::int32_t wall = 0;       ///< into the list of walls
  std::vector<LocalId> nodes;  ///< ascending user id
};

template <class V>
void fields(V& v, WallTransducer& s) {
  model::members(v, s, s.id, s.title, s.wall, model::nodes_of(s.nodes));
}

/// Adds the deck's walls and their transducers to the model.
void read_walls(model::Builder& build);

/// CR-D343: moving nodes move away from walls.
void add_wall_doubts(const model::Model& model, std::vector<model::Doubt>& doubts);

const model::Feature& rigid_wall_feature();
const model::Feature& wall_transducer_feature();

}  // namespace crumple::loads
