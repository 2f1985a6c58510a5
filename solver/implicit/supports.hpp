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

namespace crumple::implicit {

/// Orthonormal directions in which a node's motion in a step is given, and how much it is. The first `moved`
/// are by prescribed motion, the others are held.
struct GivenMotion {
  constraints::Directions along;
  std::array<double, 3> by{};
  int moved = 0;

  /// The motion along `direction` is `value`, unless that follows from earlier ones.
  void add(const Vec3& direction, double value);
  Vec3 increment() const;
};

/// The same of a point's translation and rotation.
struct NodeGiven {
  LocalId node = model::kNone;
  GivenMotion translation, rotation;
};

class Supports {
 public:
  /// Throws Error CR-I101 for a motion that has no meaning in statics. Keeps references to both.
  explicit Supports(const model::Model& model, std::span<const RigidPoint> bodies = {});

  /// What is given of points in the step from `start` to `end`, ascending point.
  /// @param x of points, at the start
  std::vector<NodeGiven> in_step(double start, double end, std::span<const Vec3> x) const;
  /// The step was accepted: displacements that begin in it are from its start on. Local.
  void accept(double start, double end, std::span<const Vec3> x);

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
  double increment(const Driven& driven, double start, double end, const Vec3& x) const;
  Begin begin_of(const Driven& driven, double start, const Vec3& x) const;
  double travelled(const constraints::Motion& motion, double start, double end) const;

  const model::Model* model_;
  std::span<const RigidPoint> bodies_;
  std::vector<Driven> driven_;  ///< in the order of reading
};

}  // namespace crumple::implicit
