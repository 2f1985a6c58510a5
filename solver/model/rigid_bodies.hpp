// Rigid bodies, with supports.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

/// Of *ELEMENT_INERTIA, in a rigid body.
struct LumpedInertia {
  LocalId node = kNone;             ///< kNone where a rank does not have it
  double mass = 0;                  ///< at an offset from the node; without one the node has it (Masses)
  Vec3 point;                       ///< where it is, at t = 0
  std::array<double, 6> inertia{};  ///< xx yy zz xy yz zx about the point
};

/// A rigid body: parts of MAT_020 and node sets of *CONSTRAINED_NODAL_RIGID_BODY, merged.
struct RigidBody {
  GlobalId part_id = 0;  ///< of the lead part, or of the nodal rigid body that leads
  bool nodal = false;    ///< led by a nodal rigid body
  Place place;           ///< of its keyword; empty for parts
  std::vector<LocalId> parts;
  std::vector<LocalId> nodes;   ///< nodes on this rank, ascending user id, including extra nodes
  int cmo = 0;                  ///< as MAT_020: 0 none, 1 global, -1 local
  int con1 = 0, con2 = 0;       ///< codes of constrained directions (global: 0-7 each)
  LocalId system = kNone;       ///< for cmo = -1
  std::uint8_t local_mask = 0;  ///< cmo = -1: constrained freedoms in `system`
  // given mass properties (*PART_INERTIA), else from the elements
  bool inertia_given = false;
  double mass = 0;
  Vec3 centre;
  std::array<double, 6> inertia{};  ///< xx yy zz xy yz zx about the centre
  bool velocity_given = false;
  Vec3 v, w;
  std::vector<LumpedInertia> lumps;
  LocalId centre_node = kNone;  ///< PNODE: massless, moved to the centre of mass at t = 0
};

/// A node of a rigid body with a *BOUNDARY_SPC.
struct Support {
  LocalId body = kNone;
  GlobalId id = 0;  ///< of the constraint
  GlobalId node_id = 0;
  Vec3 point;                ///< at t = 0
  std::array<Vec3, 3> axis;  ///< unit vectors, fixed in space
  std::uint8_t mask = 0;     ///< bit k: DegreeOfFreedom k along or about these axes
};

}  // namespace crumple::model
