// Prescribed motion of nodes, and the prescribed rate, which rigid bodies use too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::sensors {
class Sensors;
}

namespace crumple::constraints {

/// One *BOUNDARY_PRESCRIBED_MOTION as a prescribed velocity along a direction.
struct Motion {
  Vec3 direction;  ///< unit
  bool rotation = false;
  bool turns = false;        ///< the direction is that at t = 0, and turns with the rigid body
  bool others_held = false;  ///< dof -4, -8: no motion normal to the direction
  /// dof 9 to 11: the node turns about the axis `direction` through `centre`, on its circle; with the
  /// opposite sign it is on a ray that turns, and may move along it.
  bool about_axis = false, on_ray = false;
  Vec3 centre;
  int kind = 0;  ///< 0 velocity, 1 acceleration, 2 displacement
  LocalId curve = model::kNone;
  double scale = 1.0, birth = 0.0, death = model::kMotionNeverEnds;
  GlobalId id = 0;
  bool off = false;  ///< by a sensor's switch

  /// Raises CR-C101 for a dof, kind or direction that is not supported.
  explicit Motion(const model::PrescribedMotion& input);
  bool active(double time) const { return !off && birth <= time && time < death; }
  /// Adds the directions in which it moves a node that is at `x` to those of translations or rotations.
  void add_directions(const Vec3& x, Directions& translation, Directions& rotations) const;
  /// dof 9 to 11: the acceleration of a node at `x` with the velocity `v` and the acceleration `a` without
  /// this motion, so that it turns by `angle` in the step.
  Vec3 turned(const Vec3& x, const Vec3& v, const Vec3& a, double angle, double dt_v, double dt_x) const;
  /// Whether this motion yields to `other`, because its curve does not act in the present stage.
  bool yields_to(const Motion& other, const model::Model& model, double time, model::Stage stage) const;
  /// Displacement that the curve has prescribed between birth and `time`; kind 2 only.
  ///
  /// With a birth time the curve starts at this time with its first abscissa. Beyond the last point a
  /// displacement is constant, a velocity or acceleration is zero.
  double displacement(const model::Model& model, double time, model::Stage stage) const;
  /// Velocity or acceleration prescribed at `time`; kinds 0 and 1.
  double value(const model::Model& model, double time, model::Stage stage) const;
  /// Whether `value` and `displacement` are equal to those of `other`.
  bool has_values_of(const Motion& other) const;
};

/// Prescribed motion of the nodes of one rank.
class PrescribedMotion final : public modules::Module {
 public:
  /// Motions in the subdomain of rank `rank`, except those of rigid bodies (RigidBodies has them).
  PrescribedMotion(const model::Model& model, int rank);

  /// Replace accelerations at `time` (t_n) so that v + a dt_v is the prescribed velocity at
  /// t_n + dt_x / 2, which for displacements is the velocity that reaches the curve at t_n + dt_x. The force
  /// for this is the reaction. For a node without mass the reaction balances the force on it.
  void apply(state::Nodal& nodal, double time, double dt_v, double dt_x, model::Stage stage);

  /// Widen the spaces by the directions in which `node` is moved at `time`, where it is now.
  void add_driven(LocalId node, const Vec3& x, double time, model::Stage stage, Directions& translation,
                  Directions& rotation) const;

  /// Time starts again: displacements of curves are now relative to the present positions.
  void start_again();

  /// Reaction on a node: force and moment of the last apply, and the work of both up to then.
  struct Drive {
    LocalId node = model::kNone;
    Vec3 force, moment;
    double work = 0;
  };
  /// Reactions of the nodes that this rank owns (for bndout).
  std::vector<Drive> drives(const state::Nodal& nodal) const;

  /// Work of the reactions by the time of the last apply, to be reduced.
  const parallel::ExactSum& work() const { return work_.done(); }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void begin_stage() override { start_again(); }
  /// Switches motions, of rigid bodies too, before the first of them is asked for in a cycle.
  void add_forces(modules::Cycle& c) override;
  void constrain(modules::Cycle& c) override { apply(c.nodal, c.time, c.dt_v, c.dt_x, c.stage); }
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void add_held(LocalId node, const modules::Cycle& c, Directions& translation,
                Directions& rotation) const override {
    add_driven(node, c.nodal.x[node], c.time, c.stage, translation, rotation);
  }
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

  /// Where a prescribed displacement began.
  struct MotionStart {
    bool started = false;
    Vec3 position;  ///< at birth
  };
  /// Work on a node.
  struct NodeWork {
    double done = 0;   ///< by the time of the last apply
    double after = 0;  ///< of the last impulse, done after t_n (half_step_work.hpp)
  };

 private:
  struct Driven {
    Motion motion;
    MotionStart start;
  };
  struct NodeMotions {
    LocalId node = model::kNone;
    std::int32_t first = 0, end = 0;  ///< its motions in driven_
    Vec3 force, moment;               ///< of the last apply
    NodeWork work;                    ///< on the rank that owns the node
  };
  /// Values of a motion's curve in a step, shared by the consecutive nodes of a set.
  struct CurveNow {
    const Motion* motion = nullptr;
    double value = 0;         ///< kinds 0 and 1: at mid step, and at its beginning
    double from = 0, to = 0;  ///< kind 2: displacements at the beginning of the step and at its end
  };
  std::span<Driven> motions_of(const NodeMotions& entry);
  std::span<const Driven> motions_of(const NodeMotions& entry) const;
  bool acts(const Driven& driven, std::span<const Driven> of_node, double time, model::Stage stage) const;
  void read_curve(const Motion& motion, double time, double dt_x, model::Stage stage, CurveNow& now) const;
  static double rate(Driven& driven, const CurveNow& now, const Vec3& x, double v, double dt_v, double dt_x);

  const model::Model* model_;
  int rank_;
  std::vector<NodeMotions> nodes_;  ///< ascending node
  std::vector<Driven> driven_;      ///< of all nodes, in the order of reading
  HalfStepWork work_;
  const sensors::Sensors* sensors_ = nullptr;
};
CRUMPLE_MEMBERS(PrescribedMotion::MotionStart, started, position)
CRUMPLE_MEMBERS(PrescribedMotion::NodeWork, done, after)

}  // namespace crumple::constraints
