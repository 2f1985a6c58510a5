// Rigid bodies, with joints and supports.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

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
  LocalId centre_node = kNone;  ///< PNODE: massless, moved to the centre of mass at t = 0
};

/// The type of a joint, by its free relative motions (*CONSTRAINED_JOINT_...).
enum class JointType : std::int8_t { spherical, revolute, cylindrical, translational, universal };

/// *CONSTRAINED_JOINT_...: a penalty between points of two rigid bodies.
struct Joint {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  JointType type{};
  std::array<LocalId, 2> bodies{kNone, kNone};  ///< A and B
  std::array<Vec3, 6> points{};                 ///< N1 to N6 at t = 0; odd ones on A, even ones on B
  double stiffness_scale = 1;                   ///< RPS
  double damping_scale = 1;                     ///< DAMP, 0: none
  LocalId results_body = kNone;                 ///< RAID: results are in its axes; kNone: global axes
};

/// Moment between two rigid bodies about one of the angles of *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointMoment {
  LocalId curve = kNone, damping_curve = kNone;  ///< of the angle, of its rate; in radians
  double stiffness = 0;                          ///< ES..: of friction and stops, per radian
  double friction = 0;                           ///< FM..: largest moment of friction, 0: none
  LocalId friction_curve = kNone;                ///< that moment as a curve of the angle
  double lower_stop = 0, upper_stop = 0;         ///< NSA.. and PSA.. in radians, 0: none
};

/// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointStiffness {
  GlobalId id = 0;
  std::array<LocalId, 2> bodies{kNone, kNone};
  std::array<std::array<Vec3, 3>, 2> axes{};  ///< axes that rotate with A and B, at t = 0
  std::array<JointMoment, 3> moments{};       ///< about phi, theta and psi
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
