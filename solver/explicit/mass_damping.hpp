// Damping proportional to mass: *DAMPING_GLOBAL, or *DAMPING_PART_MASS of single parts.
//
// The damping force on a node is -D m v. For parts, m is the node's mass from their elements: at a node that
// parts share, each damps its own mass. Lumped masses (*ELEMENT_MASS) belong to no part. The force is
// implicit in v, (v+ - v-) / dt = a - D (v+ + v-) / 2, so any D is stable.
//
// Rigid bodies are damped by the forces on their nodes. If the mass properties of a body were given, the
// masses of its nodes have no meaning. Then it is damped as a whole, by -D times its momentum and angular
// momentum, where D is the mean over its parts, weighted with their nodes' mass.
#pragma once

#include <span>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "explicit/dependent_nodes.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/damping_rates.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::explicit_dynamics {

class MassDamping {
 public:
  /// Where nodes of damped parts depend on others, these others have their mass. Collective.
  MassDamping(const model::Model& model, const DependentNodes& nodes, const parallel::Halo& halo,
              const parallel::Communicator& comm);

  /// Whether the deck has mass damping.
  bool asked() const { return !rates_.empty(); }

  /// Compute coefficients at `time`, and add forces to nodes of rigid bodies.
  void pull(state::Nodal& nodal, const constraints::RigidBodies& bodies, double time);
  /// Damp accelerations of other nodes, and bodies whose mass properties were given.
  void apply(state::Nodal& nodal, constraints::RigidBodies& bodies, double dt_v);
  /// Add the work on other nodes in this step, with the velocities in its middle, after everything that
  /// changes them.
  void count(const state::Nodal& nodal, std::span<const char> rigid, double dt_v);
  /// Energy dissipated at this rank's nodes so far.
  const parallel::ExactSum& energy() const { return energy_; }

  void archive(state::Archive& archive);

 private:
  void follow(const DependentNodes& nodes);
  void find_rates(double time);
  bool pulls(const constraints::RigidBodies& bodies, LocalId node) const;
  Vec3 drag(const state::Nodal& nodal, LocalId node) const;
  void damp_body(int b, constraints::RigidBodies& bodies, double dt_v);

  const model::Model& model_;
  int rank_;
  std::vector<std::vector<state::DampedShare>> shares_;       ///< of each of the model's part dampings
  std::vector<std::vector<state::DampedShare>> body_shares_;  ///< of bodies with given mass properties
  std::vector<state::DampingRates> rates_;       ///< by node, in this cycle; empty without damping
  std::vector<state::DampingRates> body_rates_;  ///< of bodies with given mass properties
  bool active_ = false;                          ///< in this cycle
  parallel::ExactSum energy_;
};

}  // namespace crumple::explicit_dynamics
