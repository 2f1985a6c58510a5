// Parts that are rigid now, as rigid bodies: how they form, and how their nodes move.
//
// Parts that share nodes, or are joined by a lead part, make one body. It has the mass, the centre and the
// inertia of its nodes where they are when it forms, and their momentum and angular momentum at that moment,
// which are exact sums. In central differences a free node has x_n x m v_{n+1/2} = x_{n+1} x m v_{n+1/2}, so
// the angular momentum of x_n and v_{n+1/2} is that which deformable nodes conserve. The motion of a body is
// that of RigidBodies.
//
// While a body is rigid, its nodes go through a cycle as free nodes do, with all that acts on them: forces,
// gravity, damping, walls. What this does to their momenta acts on the body, and then the nodes move with it.
// This is Gauss's principle of least constraint (Gauss 1829): of all rigid motions that is the one nearest to
// the motion of the free nodes, weighted by their masses.
//
// Nodes keep their velocity when their body ends. It is their displacement in a step over the step, so that
// the angular momentum about an axis of inertia is less by (w dt)^2 / 4 of it; then the nodes conserve it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "model/stage.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/index_map.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::constraints {

/// A body to be formed.
struct RigidGroup {
  GlobalId id = 0;             ///< of its first part
  std::vector<LocalId> nodes;  ///< of this rank, each once
};

class RigidGroups {
 public:
  /// Keeps a reference.
  explicit RigidGroups(const parallel::Communicator& comm) : comm_(&comm) {}

  bool empty() const { return bodies_ == nullptr; }
  std::size_t size() const { return bodies_ ? static_cast<std::size_t>(bodies_->size()) : 0; }

  /// Forms bodies of the nodes' positions x_n, their masses and velocities v_{n+1/2}. Raises CR-C102 for one
  /// without mass. Collective.
  void form(const std::vector<RigidGroup>& groups, const state::Nodal& nodal);
  void dissolve();

  /// The nodes' velocities v_{n+1/2} and accelerations become those of their bodies, which have got what has
  /// changed the velocities since the last move. Collective.
  /// @param formed in this cycle: the velocities are known
  /// @param lost kinetic energy that forming takes, of the nodes of this rank, is added
  void move(state::Nodal& nodal, double time, double dt_v, double dt_x, bool formed,
            parallel::ExactSum& lost);

  /// Body of a node of the rank, kNone without one.
  LocalId body_of(LocalId node) const { return body_of_[static_cast<std::size_t>(node)]; }
  /// Rotation of a body in the last step, by rows.
  const Matrix3& turned(std::size_t body) const { return turned_[body]; }
  const RigidBodies& bodies() const { return *bodies_; }

  /// @param groups those of the last `form`
  void archive(state::Archive& archive, const std::vector<RigidGroup>& groups, const state::Nodal& nodal,
               const parallel::IndexMap& nodes);

 private:
  /// What RigidBodies refer to: the bodies' nodes alone, numbered in their order. Their x0, masses and
  /// inertias are those with which they formed.
  struct World {
    model::Model model;
    state::Nodal nodal;
  };
  /// Of all nodes of the rank, where bodies form.
  struct Lumps {
    std::span<const Vec3> x;
    std::span<const double> mass, inertia;
  };
  void build(const std::vector<RigidGroup>& groups, const state::Nodal& nodal, const Lumps& lumps);
  void add_impulses(const state::Nodal& nodal, double dt_v);
  void give(state::Nodal& nodal, double dt_v, bool formed, parallel::ExactSum& lost) const;

  const parallel::Communicator* comm_;
  std::vector<LocalId> nodes_;    ///< of the rank, by number in the world
  std::vector<LocalId> body_of_;  ///< by node of the rank
  std::unique_ptr<World> world_;
  std::unique_ptr<RigidBodies> bodies_;
  std::vector<Matrix3> turned_;
};

}  // namespace crumple::constraints
