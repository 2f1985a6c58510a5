// What is held and what is moved: single-point constraints and prescribed motions over a step, of nodes and
// of rigid bodies.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "constraints/prescribed_motion.hpp"
#include "constraints/rotation.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/rigid_points.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::implicit {

/// Motion along one direction: its increment in a step, velocity and acceleration at the end.
struct MotionAlong {
  double by = 0, velocity = 0, acceleration = 0;
};

/// Orthonormal directions in which a node's motion in a step is given, and how much it is. The first `moved`
/// are by prescribed motion, the others are held.
struct GivenMotion {
  constraints::Directions along;
  std::array<double, 3> by{}, velocity{}, acceleration{};
  int moved = 0;

  /// The motion along `direction` is `value`, unless that follows from earlier ones.
  void add(const Vec3& direction, const MotionAlong& value);
  Vec3 increment() const;
};

/// The same of a point's translation and rotation.
struct NodeGiven {
  LocalId node = model::kNone;
  GivenMotion translation, rotation;
};

/// Positions and velocities of the points at the start of a step; without velocities all rest.
struct NodesAtStart {
  std::span<const Vec3> x, v, w;
};

/// Velocities are integrated exactly, accelerations twice. At the end of a step a prescribed velocity is that
/// of its curve, a prescribed displacement has the velocity of its last piece, and the acceleration of both
/// is the mean of the step.
class Supports {
 public:
  /// Throws Error CR-I101 for a motion that has no meaning in statics. Keeps references to both.
  /// @param stage whose motions act
  /// @param springback with what is held in springback
  explicit Supports(const model::Model& model, std::span<const RigidPoint> bodies = {},
                    model::Stage stage = model::Stage::transient, bool springback = false);

  /// What is given of points in the step from `start` to `end`, ascending point.
  std::vector<NodeGiven> in_step(double start, double end, const NodesAtStart& at_start) const;
  /// The step was accepted: displacements that begin in it are from its start on. Local.
  void accept(double start, double end, std::span<const Vec3> x);
  void archive(state::Archive& archive);

 private:
  /// Where a displacement by a curve began.
  struct Begin {
    bool known = false;
    Vec3 position;
  };
  struct Driven {
    LocalId node = model::kNone;
    constraints::Motion motion;
    Begin begin;
  };
  MotionAlong motion(const Driven& driven, double start, double end, const NodesAtStart& nodes) const;
  void hold_in_springback();
  bool yields(const Driven& driven, double time) const;
  Begin begin_of(const Driven& driven, double start, const Vec3& x) const;
  std::vector<double> pieces(const constraints::Motion& motion, double start, double end) const;
  double travelled(const constraints::Motion& motion, double start, double end) const;
  double travelled_twice(const constraints::Motion& motion, double start, double end) const;

  const model::Model* model_;
  std::span<const RigidPoint> bodies_;
  model::Stage stage_;
  std::vector<Driven> driven_;  ///< in the order of reading
  /// Nodes that are held from the start on, with masks of translations and rotations.
  struct Held {
    LocalId node = model::kNone;
    std::uint8_t translations = 0, rotations = 0;
  };
  std::vector<Held> held_;
};

}  // namespace crumple::implicit
