// Nodes that move as others do, by ties and by interpolations: where their masses are, and in which order
// forces and motion go through both.
#pragma once

#include <span>
#include <vector>

#include "constraints/interpolations.hpp"
#include "contact/tied/ties.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/assembly.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

class DependentNodes {
 public:
  /// Moves the masses of dependent nodes in `nodal` to the nodes that they follow. Keeps references.
  /// Collective.
  DependentNodes(const model::Model& model, state::Nodal& nodal, const parallel::Communicator& comm,
                 const parallel::Halo& halo, elements::Isa isa = elements::best_isa());

  /// The nodes that were given, with masses where they act. What asks for masses takes nodes from here, so
  /// that it cannot come before.
  state::Nodal& nodal() const { return *nodal_; }
  /// Masses before they were moved; until `start`.
  const state::LumpedMasses& own() const { return own_; }
  /// What some part of the nodes' own masses is where it acts. Collective.
  std::vector<double> transferred(std::vector<double> mass) const;

  /// Give dependent nodes their velocities at t = 0, when those of all others are known. Local.
  void start();

  /// The same where the run goes on from other positions: arms are those at the present ones. Local.
  void start_again();

  void delete_elements(std::span<const contact::DeletedElement> elements) { ties_.delete_elements(elements); }
  /// Transfer the forces at t_n, summed over copies, and masses that dependent nodes have been given.
  /// Collective.
  void transfer(double time);
  /// Accelerations of tied nodes, for output, before `move`. Local.
  void accelerate() { ties_.accelerate(*nodal_); }
  /// Velocities at t_{n+1/2} from those of the nodes that they follow, which are final. Local.
  void move(double dt_x);

  const parallel::ExactSum& lost_energy() const { return ties_.lost_energy(); }
  void add_results(std::span<contact::ContactResult> results) const { ties_.add_results(results); }
  void archive(state::Archive& archive);

 private:
  state::Nodal* nodal_;
  state::LumpedMasses own_;
  contact::Ties ties_;
  constraints::Interpolations interpolations_;  ///< of nodes that may be tied: behind them on the way down
};

}  // namespace crumple::explicit_dynamics
