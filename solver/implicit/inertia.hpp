// Inertia of the nodes in an implicit step: Newmark's method, with the weights of Hilber, Hughes and Taylor.
//
// A step with the increment u = dt v + dt^2 ((1/2 - beta) a + beta a+) ends with the velocity
// v+ = v + dt ((1 - gamma) a + gamma a+) (Newmark 1959, "A method of computation for structural dynamics",
// J. Eng. Mech. Div. ASCE 85, 67-94). There M a+ = (1 + alpha) f+ - alpha f, where f are the forces of
// elements, loads, damping and supports (Hilber, Hughes and Taylor 1977, "Improved numerical dissipation for
// time integration algorithms in structural dynamics", Earthquake Eng. Struct. Dyn. 5, 283-292). So the
// forces that a motion takes are f+ = (M a+ + alpha f) / (1 + alpha), which needs no other forces than its
// own of the step before. They resist like those of elements.
//
// Rotations. A node's rotary inertia J is the same about every axis, so that J w is its angular momentum in
// global axes, and J dw/dt the moment, without gyroscopic terms. Newmark's formulas hold for these vectors,
// with Cayley's vector of the turn (increment.hpp) in the place of u. With gamma = 1/2 and beta = 1/4 this is
// turn = dt (w + w+) / 2, the algorithm of Simo and Wong (1991), "Unconditionally stable algorithms for rigid
// body dynamics that exactly preserve energy and momentum", Int. J. Numer. Methods Eng. 31, 19-52. Simo and
// Vu-Quoc (1988), "On the dynamics in space of rods undergoing large motions", Comput. Methods Appl. Mech.
// Eng. 66, 125-161, take the rotation vector, which differs by its third power. Cayley's belongs to chords of
// positions: a rigid body's v = w x r at both ends of a step, u = dt (v + v+) / 2, turns it by just that.
//
// With consistent masses (consistent_mass.hpp) M couples nodes; damping by mass keeps the masses of nodes.
//
// Where motion is given, v+ and a+ are given, too. A node without mass has the mean velocity of the step.
//
// Nodes that depend on others (dependent_nodes.hpp) have the velocities and accelerations that those of their
// masters give them at the end of the step, and the forces of their masses go to the masters as all forces
// do. Newmark's formulas at such nodes would make accelerations along arms that oscillate (Cardona and
// Geradin 1989, "Time integration of the equations of motion in mechanism analysis", Comput. Struct. 33,
// 801-820). So M along the unknowns is T' M T, and the change of T, which is of the size of the turn in a
// step, is left out of the stiffness. Rigid bodies have their own inertia (body_spin.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/body_spin.hpp"
#include "implicit/consistent_mass.hpp"
#include "implicit/dependent_nodes.hpp"
#include "implicit/elements.hpp"
#include "implicit/increment.hpp"
#include "implicit/point_masses.hpp"
#include "implicit/supports.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/damping_rates.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::implicit {

/// How much of inertia and of damping by mass counts at a time, 0 to 1: by birth, death and burial, or by the
/// curve of IMASS < 0. A run without dynamics: 0.
double share_of_inertia(const model::Model& model, double time);

/// Motion of points at one time, and the forces that it takes.
struct NodalMotion {
  AlignedVector<Vec3> v, w;      ///< velocity, angular velocity
  AlignedVector<Vec3> a, alpha;  ///< accelerations
  NodalForces taken;             ///< f, without that of damping
  NodalForces drag;              ///< by damping; empty without
  std::vector<BodySpin> bodies;  ///< in the order of PointMasses::bodies

  explicit NodalMotion(std::size_t points = 0, std::size_t rigid = 0)
      : v(points), w(points), a(points), alpha(points), taken(points), drag(points), bodies(rigid) {}
};

/// What inertia belongs to. Kept by reference.
struct InertiaOf {
  const model::Model& model;
  const state::Nodal& nodal;  ///< velocities at the start, owners, masses of nodes for damping
  const PointMasses& masses;
  const DependentNodes& dependents;
  std::span<const std::uint8_t> dofs;          ///< of each point: 0, 3 or 6; not kept
  const ConsistentMass* consistent = nullptr;  ///< what couples masses of nodes; null: nothing does
};

/// How a rigid body begins: the velocity of its centre of mass, and how far it has turned.
struct BodyStart {
  constraints::RigidBodies::Velocity velocity;
  constraints::Quaternion orientation;
};

class Inertia {
 public:
  /// Velocities at the start are those of the nodes where there is mass; nodes that others follow have the
  /// mean of all, and rigid bodies what the explicit solver gives them.
  Inertia(const InertiaOf& of, const parallel::Halo& halo, const parallel::Communicator& comm,
          std::span<const BodyStart> bodies = {});

  /// At the start of the run: everything rests.
  void rest() { now_ = NodalMotion(masses_.mass.size(), masses_.bodies.size()); }
  /// At the start of the run: what is held rests.
  void hold(std::span<const NodeGiven> given);
  /// Accelerations at the start of the run by the forces there; after `hold` and `begin`. Where no masses are
  /// coupled and no nodes depend on others.
  void accelerate(const NodalForces& forces);
  /// The same where they are: what is out of balance at given accelerations, to be divided by the mass
  /// matrix, and what comes out.
  NodalForces out_of_balance(const NodalForces& forces);
  void accelerate_by(const Increment& accelerations);

  /// Other nodes are welded now: each group moves as its nodes do, which moved together.
  /// @param first the first of these bodies
  /// @param x of all points
  void regroup_welds(std::size_t first, std::span<const Vec3> x, std::span<const std::uint8_t> dofs);

  /// A step begins. False if no inertia counts in it: it is static.
  bool begin(double start, double end, std::vector<NodeGiven> given);
  /// What the present step's stiffness of a unit mass is; 0 in a static step.
  double stiffness() const { return share_ * by_u_; }
  /// Visits the forces that nodes resist with, and their stiffness, like elements of one node.
  void evaluate(const Increment& increment, bool stiffness, const Elements::Visit& visit);
  /// The stiffness by which masses of different nodes are coupled. Where motion is given it has no part:
  /// accelerations there are given, too, whatever the increment.
  void add_coupling(const AddBlock& add) const;
  /// The step ends. In a static one all motion ends.
  void accept(const Increment& increment);

  void archive(state::Archive& archive);

  /// At t_n.
  const NodalMotion& motion() const { return now_; }
  /// Kinetic energy, mass and momentum of rigid bodies.
  struct OfBodies {
    double kinetic = 0, mass = 0;
    Vec3 momentum;
  };
  OfBodies of_bodies() const;
  /// Of the step up to t_n.
  double share() const { return share_; }
  /// The work of damping so far, not negative.
  double damping_energy() const { return damping_energy_; }
  /// What the work of a drive in the last step is beyond that by the mean of its forces at both ends, so that
  /// its part for inertia is the change of kinetic energy.
  /// @param before the node was driven in the step before
  double work_beyond_mean(const NodeGiven& driven, const Increment& increment, bool before) const;

 private:
  using Rates = state::DampingRates;
  void find_damped_parts(const parallel::Halo& halo, const parallel::Communicator& comm);
  void start_dependents(std::span<const BodyStart> bodies);
  void start_body(std::size_t b, const BodyStart& start);
  void start_welds();
  void find_rates(double time);
  NewmarkStep step() const { return {control_.beta, control_.gamma, dt_}; }
  constraints::Directions given_rotations(LocalId point) const;
  bool spins_freely(std::size_t b) const;
  Vec3 arm_of(std::size_t b, const NodalMotion& at) const;
  Vec3 body_force(std::size_t b, const NodalMotion& at) const;
  void advance_bodies(const Increment& increment, NodalMotion& end) const;
  void find_body_forces(NodalMotion& end) const;
  void find_drag(NodalMotion& end) const;
  void visit_bodies(const Increment& increment, bool stiffness, const Elements::Visit& visit) const;
  void visit_lines(const Increment& increment, bool stiffness, const Elements::Visit& visit) const;
  double dragged_mass(std::size_t n) const;
  double mass_along(const NodeGiven& driven, const Vec3& axis, bool rotation) const;
  void advance(const Increment& increment, NodalMotion& end) const;
  void take_given(NodalMotion& end) const;
  void find_forces(NodalMotion& end) const;
  bool couples() const { return consistent_ != nullptr && consistent_->any(); }
  /// With consistent masses, at nodes and points of bodies: momentum that is coupled to that of other nodes,
  /// and all of NodalMotion::taken.
  struct Coupled {
    NodalForces momentum, taken;
  };
  NodalForces by_body(NodalForces of_nodes) const;
  Coupled coupled(const NodalMotion& motion) const;

  const model::Model& model_;
  const model::Dynamics& control_;
  const state::Nodal& nodal_;
  const PointMasses& masses_;
  const DependentNodes& dependents_;
  const ConsistentMass* consistent_;
  std::vector<std::uint8_t> dofs_;
  NodalMotion now_, last_, trial_;
  Coupled coupled_last_, coupled_now_;  ///< of the last step
  std::vector<NodeGiven> given_;
  double dt_ = 0, share_ = 0;
  double by_u_ = 0, rate_by_u_ = 0;                                    ///< d f+ / du of a unit mass, dv+ / du
  std::vector<std::vector<state::DampedShare>> of_parts_, of_bodies_;  ///< by damping of parts
  std::vector<Rates> rates_;       ///< by node, at the end of the step; empty without damping
  std::vector<Rates> body_rates_;  ///< of bodies with given mass properties
  double damping_energy_ = 0;
};

}  // namespace crumple::implicit
