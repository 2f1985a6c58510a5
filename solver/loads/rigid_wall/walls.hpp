// Rigid walls: planes, boxes, cylinders and spheres that nodes cannot enter.
//
// Nodes of deformable parts are stopped by a constraint, as in LS-DYNA. A node that would be inside at the
// end of the step gets, along the normal, the velocity that just takes it to the surface. Then it keeps the
// wall's velocity as long as it is pressed. The impact of its mass is perfectly plastic, and there is no
// adhesion. Nodes of rigid bodies cannot be stopped individually; a penalty force acts on them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rigid_bodies.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::sensors {
class Sensors;
}

namespace crumple::loads {

/// The walls of a model and the nodes of one rank that they track.
class RigidWalls final : public modules::Module {
 public:
  /// Keeps references to `model` and `comm`. Raises CR-L103 for an invalid wall.
  RigidWalls(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm);

  /// Penalty forces on nodes of rigid bodies inside walls at `time` (t_n), added on the owner before sums
  /// are exchanged. `dt` is the step that led to t_n (0 in the first cycle: then there is no force).
  ///
  /// The stiffness of a node is 0.1 m / dt^2, with its lumped mass, reduced where the body's mass
  /// properties were given: the body's frequency on any number of such springs is below 0.32 / dt, so it
  /// is stable whatever the shape of the body. LS-DYNA's RWPNAL = 0 would leave these nodes free.
  void add_penalty_forces(state::Nodal& nodal, const constraints::RigidBodies& bodies, double time,
                          double dt);

  /// Bounds of the motion of nodes, to find those that cannot reach a wall for some time.
  struct Travel {
    double so_far = 0.0;            ///< bound of displacements since the start, without `erratic` nodes
    double next = 0.0;              ///< the same for this step
    std::span<const char> erratic;  ///< 1 for nodes that do not move with their velocity
  };
  /// Correct the velocities v_{n+1/2} of nodes that would be inside a wall at t_n + dt_x, and their
  /// accelerations accordingly, then move the walls. Collective if a wall is free to move.
  /// @return whether near_nodes() has changed
  bool apply(state::Nodal& nodal, double time, double dt_v, double dt_x, Travel travel, model::Stage stage);
  /// Nodes of deformable parts whose velocities `apply` may correct in the next step at any speed.
  std::vector<LocalId> near_nodes() const;
  /// Speed below which `apply`, in a step of `dt` at `time`, does not correct other nodes; negative: it may
  /// correct all. Infinite without walls.
  /// @param so_far as Travel::so_far
  double speed_to_reach(double time, double so_far, double dt) const;
  /// Add the work of this step's impulses, after everything that changes velocities, such as other walls and
  /// welds.
  void count_impacts(const state::Nodal& nodal, double dt_v, double dt_x);
  /// Forces between nodes and a wall, for rwforc.
  struct Row {
    GlobalId id = 0;
    double normal_force =
        0.0;       ///< along a plane's normal, positive when pressed; other shapes: size of `force`
    Vec3 force;    ///< of the wall on the nodes, in the last step
    Vec3 impulse;  ///< its integral over time since t = 0
    Vec3 displacement, velocity;  ///< of the wall
  };
  /// One row per wall, then one per transducer, the same on every rank. Collective.
  std::vector<Row> rows() const;

  /// Energy that each wall has taken from the nodes up to the last apply: lost in impacts and friction, or
  /// transferred to moving walls. Energy that a wall adds to nodes is negative. Collective.
  std::vector<double> absorbed_energies() const;

  int size() const { return static_cast<int>(walls_.size()); }

  /// All walls act from now on, or do not.
  void turn(bool on) {
    for (Wall& wall : walls_) wall.ended = !on;
  }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_forces(modules::Cycle& c) override {
    switch_walls();
    add_penalty_forces(c.nodal, c.bodies, c.time, c.penalty_step);
  }
  double speed_to_reach(const modules::Cycle& c) const override {
    return speed_to_reach(c.time, c.travelled, c.dt_x);
  }
  bool stop_nodes(modules::Cycle& c) override {
    return apply(c.nodal, c.time, c.dt_v, c.dt_x, {c.travelled, c.dt_x * c.fastest, c.placed}, c.stage);
  }
  void add_watched_nodes(std::vector<LocalId>& nodes) const override {
    const std::vector<LocalId> near = near_nodes();
    nodes.insert(nodes.end(), near.begin(), near.end());
  }
  void count_work(modules::Cycle& c) override { count_impacts(c.nodal, c.dt_v, c.dt_x); }
  void add_work(modules::Work& work) const override { work.stonewalls = absorbed_energies(); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  struct Tracked {
    LocalId node = model::kNone;
    bool touching = false;   ///< pressed in the last step
    bool welded = false;     ///< FRIC 2 and 3
    std::int32_t push = -1;  ///< index into Wall::pushes; rigid bodies only
    bool is_rigid() const { return push >= 0; }
  };
  /// Penalty force of the last cycle and where it acted.
  struct Push {
    Vec3 force, x;
  };
  struct Impulse {
    LocalId node = model::kNone;
    Vec3 value;
  };
  /// Sums of the forces on the nodes of a transducer.
  struct Meter {
    const WallTransducer* input = nullptr;
    std::vector<LocalId> nodes;  ///< ascending
    std::array<parallel::ExactSum, 3> force, body_force, impulse;
  };
  struct Wall {
    const RigidWall* input = nullptr;
    std::vector<std::int32_t> meters;  ///< its transducers
    bool off = false;                  ///< by a switch of a sensor
    bool ended = false;                ///< by a switch of parts
    std::vector<Tracked> tracked;
    std::vector<Push> pushes;
    bool meets_bodies() const {
      return !pushes.empty();
    }  ///< some tracked node on this rank belongs to a
       //< rigid body
    Vec3 displacement, velocity;
    std::vector<std::int32_t> near;  ///< indices of `tracked` nodes that may reach the wall
    double path = 0.0;               ///< path of the wall since the start
    double near_until = 0.0;         ///< `near` is valid while the sum of the paths of wall and nodes is less
    std::array<parallel::ExactSum, 3> force, body_force, impulse;
    std::vector<Impulse> impulses;      ///< of this step, on nodes owned here
    constraints::HalfStepWork impacts;  ///< work of impulses
    parallel::ExactSum penalty_work;    ///< on nodes of rigid bodies
  };
  struct Gap {
    double size = 0.0;  ///< signed distance, negative inside
    Vec3 normal;        ///< outward
  };
  /// Motion of a node in a step without the wall.
  struct Approach {
    bool enters = false;
    Gap start;
    double normal_velocity = 0.0;  ///< smallest one that keeps it outside, relative to the wall
  };

  static Gap gap(const RigidWall& wall, const Vec3& from_point);
  static bool in_front(const Wall& wall, const Vec3& x);
  static bool within_edges(const RigidWall& wall, const Vec3& from_point);
  static Approach approach(const Wall& wall, const Tracked& tracked, const Vec3& x, const Vec3& v,
                           const Vec3& wall_velocity, double dt);
  void choose_velocity(Wall& wall, const state::Nodal& nodal, double time, double dt_v, double dt_x);
  static bool acts(const Wall& wall, double time) {
    return !wall.off && !wall.ended && wall.input->birth <= time && time < wall.input->death;
  }
  void switch_walls();
  void push_near(Wall& wall, state::Nodal& nodal, double dt_v, double dt_x);
  template <class Add>
  void measure(const Wall& wall, LocalId node, Add add);
  void build_meters();
  void find_near(Wall& wall, const state::Nodal& nodal, const Travel& travel, double reach) const;
  void push(Wall& wall, Tracked& tracked, state::Nodal& nodal, double dt_v, double dt_x);

  const model::Model* model_;
  const parallel::Communicator* comm_;
  std::vector<Wall> walls_;
  std::vector<Meter> meters_;                  ///< of transducers
  const sensors::Sensors* sensors_ = nullptr;  ///< that switch walls
};

}  // namespace crumple::loads
