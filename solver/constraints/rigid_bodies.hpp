// Rigid bodies: mass properties, the motion of centre and orientation, and of their nodes.
//
// A body with all its nodes on one rank is advanced only there, unless joints, motions or loads act on it or
// results are in its axes. Every rank advances all other bodies with the same arithmetic; only the resultants
// of nodal forces are summed over ranks, exactly. Nodes are placed at x = c + R X each step, so there is no
// drift.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/relative_motion/relative_motion.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::constraints {

/// State of one body as rbdout and d3plot print it; velocities at t_{n-1/2}, the rest at t_n.
struct RigidBodyState {
  GlobalId part_id = 0;
  double mass = 0.0;
  Vec3 position, displacement, velocity, acceleration;    ///< of the centre of mass
  Vec3 rotation, angular_velocity, angular_acceleration;  ///< `rotation`: sum of the increments
  Matrix3 direction = identity3();                        ///< rotation since t = 0, by rows
};

/// Position of a body at t_n, and its velocity in the step before.
struct BodyMotion {
  Vec3 centre;                 ///< of mass, at t_n
  Matrix3 turn = identity3();  ///< rotation from t = 0 to t_n, by rows
  Vec3 v, w;                   ///< mean velocities over the last step
};

/// Velocities before and after the impulses at t_n: of the centre at both half steps, and angular velocities
/// at t_n without and with the moments there. Half their sum times an impulse is its work.
struct Kick {
  Vec3 v_before, v_after, w_before, w_after;
};

/// By rigid body: whether only one rank advances it.
///
/// @param ranks (n_bodies) number of ranks that have nodes of it
std::vector<char> whole_bodies(const model::Model& model, std::span<const std::int64_t> ranks);

class RigidBodies {
 public:
  /// Computes mass properties from the lumped masses of owned nodes, and velocities from those of the nodes
  /// (equal momentum and angular momentum), unless they are given. Raises CR-C102 for a body whose mass is
  /// zero and CR-C103 for a node in two bodies. Keeps references to `model` and `comm`. Collective.
  RigidBodies(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm);

  /// Set the velocities of the bodies' nodes at t = 0, and move centre nodes to the centres.
  void initialize(state::Nodal& nodal) const;

  /// Velocity of the centre of mass, and angular velocity.
  struct Velocity {
    Vec3 v, w;
  };
  std::vector<Velocity> velocities() const;
  /// Set the velocities of all bodies and of their nodes at their present positions. The same on every rank.
  void set_velocities(std::span<const Velocity> velocities, state::Nodal& nodal);
  /// Position at some time: of the centre of mass, and the sum of rotation increments up to it.
  struct Place {
    Vec3 centre;
    Quaternion orientation;
    Vec3 turned;
  };
  /// Body `b` is here from now on, and moves so. Its nodes must be where they are then; their velocities are
  /// set. The same on every rank.
  void place(int b, const Place& place, const Velocity& velocity, state::Nodal& nodal);
  /// The same for one body.
  void set_velocity(int b, const Velocity& velocity, state::Nodal& nodal);

  /// Bodies with nodes whose velocities were changed get the momentum and the angular momentum of all their
  /// nodes, except in held directions; then velocities of the nodes follow. Collective.
  ///
  /// @param changed (n_nodes) 1 for nodes with new velocities
  void follow_nodes(std::span<const char> changed, state::Nodal& nodal);

  /// Whether this rank advances body `b`. The functions below on a body's motion are valid only on such
  /// ranks.
  bool moves(int b) const { return bodies_[b].moved; }

  /// Add to the acceleration of body `b` in the next advance (base acceleration, gravity).
  void add_acceleration(int b, const Vec3& a) {
    if (moves(b)) bodies_[b].base += a;
  }

  /// Add a force at the centre of body `b` and a moment, both at t_n, to the next advance. Every rank that
  /// moves the body adds the same.
  void add_load(int b, const Vec3& force, const Vec3& moment) {
    if (!moves(b)) return;
    bodies_[b].applied_force += force;
    bodies_[b].applied_moment += moment;
  }

  /// Number of integers for the loads on the bodies that all ranks advance.
  std::size_t n_resultants() const;
  /// Resultants of the forces on this rank's nodes of bodies at t_n, after all forces have been added.
  ///
  /// @param resultants (n_resultants), to be summed over ranks
  void find_resultants(const state::Nodal& nodal, std::span<std::int64_t> resultants);

  /// Advance bodies from t_n = `time`: velocities to t_{n+1/2} with `dt_v`, positions to t_{n+1} with
  /// `dt_x`; then x, v, w, a and alpha of their nodes. The loop must leave x of these nodes alone.
  ///
  /// @param resultants of find_resultants, the sums over all ranks
  void advance(state::Nodal& nodal, std::span<const std::int64_t> resultants, double time, double dt_v,
               double dt_x, model::Stage stage);

  /// The first body of this rank on which a force overflowed or that rotated too fast for the step; kNone if
  /// there is none. It does not move until all ranks know of it and stop.
  LocalId failed() const { return failed_; }
  /// Raises CR-C104 for body `b`, which has failed on some rank. Collective.
  [[noreturn]] void stop(LocalId b) const;

  /// 1 for local nodes that belong to a body.
  std::span<const char> mask() const { return mask_; }
  bool is_rigid(LocalId i) const { return mask_[i] != 0; }
  /// Body of a local node, kNone for others.
  LocalId body_of(LocalId i) const { return body_of_[i]; }

  int size() const { return static_cast<int>(bodies_.size()); }
  RigidBodyState state(int b) const;
  /// The state at t_n, the time from which the last advance started.
  const RigidBodyState& kept_state(int b) const { return bodies_[b].kept; }
  /// The states of all bodies, on rank 0. Collective if there are bodies.
  std::vector<RigidBodyState> kept_states() const;
  /// Kinetic energy at the time of the last advance, as the product of the velocities before and after
  /// it; to be counted instead of that of the body's nodes. The two differ if mass properties were given;
  /// then every rank has this value.
  double kinetic_energy(int b) const;
  /// Kinetic energy of the kept velocities, the means of those before and after; also for bodies with given
  /// mass properties.
  double kept_kinetic_energy(int b) const;
  /// Kinetic energy at t_{n-1/2}.
  double kinetic_energy_now(int b) const;
  /// Momentum at t_{n-1/2}.
  Vec3 momentum(int b) const;
  /// Angular momentum about the centre of mass, at t_{n-1/2}.
  Vec3 angular_momentum(int b) const;
  double mass(int b) const { return bodies_[b].mass; }
  /// About the centre of mass, in axes that rotate with the body; at t = 0 they are the global ones.
  const Matrix3& inertia(int b) const { return bodies_[b].inertia; }
  BodyMotion motion(int b) const;
  /// Velocities at the impulses of the last advance.
  const Kick& kick(int b) const { return bodies_[b].kick; }
  /// Offset from the centre of mass of a point given at t = 0, in axes that rotate with the body.
  Vec3 arm(int b, const Vec3& point) const { return point - bodies_[b].centre0; }
  /// Largest velocity that a unit impulse at `arm` gives to the point there, in its own direction; 0 for a
  /// body without mass.
  double mobility(int b, const Vec3& arm) const;
  /// Largest angular velocity that a unit moment impulse gives.
  double angular_mobility(int b) const;
  /// Whether the constraints make all points of the body have the centre's velocity along `d`.
  bool moves_along_with_centre(int b, const Vec3& d) const;
  /// Largest factor (at most 1) for the nodes' masses with which no motion has more kinetic energy in the
  /// nodes than in the body. It is 1 unless mass properties were given.
  double nodal_mass_factor(int b) const { return bodies_[b].mass_factor; }

  /// Reaction of prescribed motions on body `b`: force and moment of the last advance, and the work of both
  /// up to then; the same on every rank. With held rotations the moment includes that of the bearing.
  struct Drive {
    Vec3 force, moment;
    double work = 0;
  };
  const Drive& drive(int b) const { return bodies_[b].drive; }

  /// State of a body from step to step.
  struct Carried {
    Vec3 centre, v, w, a, alpha;
    Vec3 turned;  ///< sum of rotation increments
    Quaternion orientation;
    Vec3 momentum;  ///< angular, about the centre, global axes
    Vec3 w_end;     ///< angular velocity at t_n for `momentum`
    Vec3 turning;   ///< moment that changed the momentum in held directions in the last step
    Drive drive;
    double drive_work_after = 0.0;  ///< of the last impulses, done after t_n (half_step_work.hpp)
  };
  /// Where a prescribed displacement began.
  struct MotionStart {
    bool started = false;
    double position = 0.0;  ///< along the direction at birth
  };

  /// Reaction of single-point constraints of body `b`'s nodes where they hold it exactly: force, and moment
  /// about the centre, at the time of the last advance; the same on every rank. Gyroscopic moments of held
  /// directions are means of the steps before and after; at t = 0 those of the step after.
  struct Bearing {
    Vec3 force, moment;
  };
  const Bearing& bearing(int b) const { return bodies_[b].bearing; }
  /// Directions that CMO, CON1 and CON2 hold; constraints of nodes may hold more.
  const Directions& held_translation_by_cmo(int b) const { return bodies_[b].cmo_translation; }
  const Directions& held_rotation_by_cmo(int b) const { return bodies_[b].cmo_rotation; }

  /// Time starts again: displacements of curves are now relative to the present positions of bodies.
  void start_motions_again();
  /// Turns the prescribed motions of this number on or off; off, they begin anew when they are on again.
  void switch_motions(GlobalId id, bool on);

  /// Work of prescribed motions and added accelerations up to the time of the last advance, this rank's part.
  const parallel::ExactSum& work() const { return work_.done(); }

  /// Motion of the bodies, and work. What one step leaves for results is not carried; a body that has failed
  /// ends the run.
  void archive(state::Archive& archive);

 private:
  struct Driven {
    Motion motion;
    MotionStart start;
  };
  /// A displacement relative to another body.
  struct Relative {
    const RelativeMotion* input = nullptr;
    Motion motion;  ///< its curve and times
    MotionStart start;
    Vec3 direction;  ///< at t_n
  };
  struct Body : Carried {
    const model::RigidBody* input = nullptr;
    bool inert = false;    ///< no nodes on any rank
    bool moved = true;     ///< by this rank
    bool counted = false;  ///< this rank counts its work
    double mass = 0.0, mass_factor = 1.0;
    Matrix3 inertia{}, inverse{};  ///< about the centre, in axes that rotate with the body
    Vec3 centre0, base;
    Matrix3 turn_now{};                          ///< `orientation` by rows, at the end of the last step
    Directions cmo_translation, cmo_rotation;    ///< held by CMO, CON1, CON2
    Directions held_translation, held_rotation;  ///< by these and by constraints of nodes
    std::vector<Driven> driven;
    std::vector<Relative> relative;
    Bearing bearing;
    double energy = 0.0;
    double force_scale = 1.0, moment_scale = 1.0;
    Vec3 force, moment;
    Vec3 applied_force, applied_moment;
    Kick kick;
    RigidBodyState kept;
    double work_with_old = 0.0, work_with_new = 0.0;  ///< of the last advance, as HalfStepWork::add
    std::optional<double> failed;                     ///< radians in the step, 0: a force overflowed
  };
  /// A node of a body.
  struct Seat {
    LocalId node = model::kNone;
    std::int32_t body = 0;
  };
  /// The prescribed or held rotation during a step: `rate` is in the space of `held`.
  struct Spin {
    Directions held, free;
    Vec3 rate;
  };

  static void find_bearing_moment(Body& body, const Vec3& kick, const Vec3& turning, bool first);
  static void count_drive(Body& body, double with_old, double with_new, bool first);
  void claim_nodes(const state::Nodal& nodal);
  /// Sums over the nodes of each body.
  struct Moments {
    std::vector<parallel::ExactSum> first;  ///< mass, its first moment about the origin, momentum
    std::vector<parallel::ExactSum>
        second;  ///< products about the nodes' centre, own inertia, angular momentum
    double mass(std::size_t b) const { return first[7 * b].value(); }
    Vec3 centre(std::size_t b) const;
    Matrix3 inertia(std::size_t b) const;
    Velocity velocity(std::size_t b) const;
  };
  /// @param lumps with lumped inertias; without them what the nodes say of the motion
  Moments moments(const state::Nodal& nodal, bool lumps = true) const;
  void measure(const state::Nodal& nodal);
  void choose_scales(const state::Nodal& nodal);
  void hold(Body& body) const;
  void hold_at_supports();
  void assign_to_ranks();
  [[nodiscard]] bool is_sound() const;
  static void set_node_velocities(state::Nodal& nodal, const Body& body);
  static RigidBodyState state_of(const Body& body);
  static void keep_velocities(Body& body, bool first);
  void find_all(const state::Nodal& nodal, const std::vector<int>& bodies,
                std::span<std::int64_t> words) const;
  void find_resultant(const state::Nodal& nodal, const Body& body, std::span<std::int64_t> words) const;
  void take_all(const std::vector<int>& bodies, std::span<const std::int64_t> words);
  void take(int b, std::span<const std::int64_t> words);
  void advance_body(Body& body, double time, double dt_v, double dt_x, model::Stage stage);
  void settle(int b);
  void archive_relative(state::Archive& archive);
  void list_followers();
  void aim_relative_motions();
  Vec3 follow_leads(Body& body, Vec3 velocity, double time, double dt_x, model::Stage stage);
  void translate(Body& body, double time, double dt_v, double dt_x, model::Stage stage);
  void rotate(Body& body, double time, double dt_v, double dt_x, model::Stage stage);
  static double initial_energy(const Body& body);
  double rate(Body& body, Driven& driven, double time, double dt_v, double dt_x, model::Stage stage) const;
  static Vec3 direction(const Body& body, const Motion& motion, double dt_x);
  bool leaves_to_another(const Body& body, const Motion& motion, double time, model::Stage stage) const;
  static Matrix3 inertia_at(const Body& body, const Matrix3& r);
  static Vec3 angular_velocity(const Body& body, const Matrix3& r, const Vec3& momentum, const Spin& spin);
  std::optional<Vec3> turn(const Body& body, const Vec3& w_start, const Vec3& momentum, const Spin& spin,
                           double dt) const;
  void place(state::Nodal& nodal, const Seat& seat) const;
  void place_all(state::Nodal& nodal) const;

  const model::Model* model_;
  const parallel::Communicator* comm_;
  std::vector<Body> bodies_;
  std::vector<char> mask_;
  std::vector<LocalId> body_of_;
  std::vector<Seat> seats_;     ///< of all bodies, one after another
  std::vector<int> reduced_;    ///< bodies that all ranks advance
  std::vector<int> own_;        ///< bodies that only this rank advances
  std::vector<int> moved_;      ///< both, ascending
  std::vector<int> followers_;  ///< of moved_, those that move relative to others, after these
  std::vector<std::int64_t> own_resultants_;
  LocalId failed_ = model::kNone;
  HalfStepWork work_;
};
CRUMPLE_MEMBERS(RigidBodies::Velocity, v, w)
CRUMPLE_MEMBERS(RigidBodies::Drive, force, moment, work)
CRUMPLE_MEMBERS(RigidBodies::Carried, centre, v, w, a, alpha, turned, orientation, momentum, w_end, turning,
                drive, drive_work_after)
CRUMPLE_MEMBERS(RigidBodies::MotionStart, started, position)

}  // namespace crumple::constraints
