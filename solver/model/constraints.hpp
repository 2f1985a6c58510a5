// Constraints, prescribed motions, welds and ties of nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "model/index.hpp"
#include "model/never.hpp"

namespace crumple::model {

enum class DegreeOfFreedom : std::int8_t { tx, ty, tz, rx, ry, rz };

/// Single-point constraints of one node: a bit mask of constrained degrees of freedom in a frame.
struct NodeConstraint {
  LocalId node = kNone;
  std::uint8_t mask = 0;   ///< bit k: DegreeOfFreedom k
  LocalId system = kNone;  ///< into Model::systems, kNone: global axes
  double birth = 0, death = kNever;
  GlobalId id = 0;  ///< of _ID, for results
};

/// *BOUNDARY_PRESCRIBED_MOTION on a node or a rigid body.
struct PrescribedMotion {
  LocalId node = kNone;  ///< either a node or a rigid body
  LocalId rigid_body = kNone;
  /// LS-DYNA's code: 1-3 translations, 5-7 rotations, +-4 vector, 8 vector rotation; +-9 to +-11 turning
  /// about an axis parallel to x, y or z.
  int dof = 0;
  int kind = 0;  ///< VAD: 0 velocity, 1 acceleration, 2 displacement
  LocalId curve = kNone;
  double scale = 1.0;
  Vec3 direction;      ///< for dof 4 and 8
  Vec3 axis_point;     ///< for dof 9 to 11
  bool local = false;  ///< the direction turns with the rigid body
  double birth = 0, death = kMotionNeverEnds;
  GlobalId id = 0;  ///< of _ID, for sensors
};

struct InitialVelocity {
  LocalId node = kNone;
  Vec3 v, w;
};

/// A node that moves as the weighted mean of others (*CONSTRAINED_INTERPOLATION).
struct Interpolation {
  GlobalId id = 0;
  LocalId node = kNone;
  std::uint8_t mask = 0;        ///< bit k: DegreeOfFreedom k of the node
  std::vector<LocalId> nodes;   ///< independent nodes, ascending user id
  std::vector<double> weights;  ///< of these, sum 1
};

/// Two nodes that move as one rigid body until the weld between them breaks (*CONSTRAINED_SPOTWELD, or a link
/// of a *CONSTRAINED_GENERALIZED_WELD_SPOT). A strength of 0 means no limit.
struct Weld {
  GlobalId id = 0;  ///< of _ID
  std::array<LocalId, 2> nodes{kNone, kNone};
  double normal_strength = 0, shear_strength = 0;  ///< SN, SS
  double normal_power = 1, shear_power = 1;        ///< N, M
  double failure_time = kNever;                    ///< TF
  std::int32_t filter = 1;                         ///< number of last forces whose mean may break it (NF)
  double window = 0;                               ///< only those of this last time (TW), 0: all
  double failure_strain = kNever;                  ///< EP, of the elements at its nodes
  bool has_strength() const { return normal_strength > 0 || shear_strength > 0; }
  bool can_break() const { return has_strength() || failure_time < kNever || failure_strain < kNever; }
};

/// Nodes that share translations along global axes (*CONSTRAINED_NODE_SET).
struct NodeTie {
  GlobalId id = 0;
  std::uint8_t mask = 0;  ///< bit k: axis k
  double failure_time = kNever;
  std::vector<LocalId> nodes;  ///< ascending user id
};

}  // namespace crumple::model
