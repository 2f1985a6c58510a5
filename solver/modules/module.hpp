// A feature in the run: its actions in the phases of a cycle.
//
// A module overrides the phases in which it acts; the step calls each phase of all modules in their order
// (modules.hpp). How its input comes from the deck to the ranks is in model/feature.hpp.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/no_limit.hpp"
#include "base/types.hpp"
#include "constraints/rotation.hpp"
#include "model/element_kind.hpp"
#include "model/model.hpp"
#include "model/stage.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "parallel/index_map.hpp"
#include "state/assembly.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::constraints {
class RigidBodies;
}
namespace crumple::state {
class Archive;
}
namespace crumple::output {
class History;
}

namespace crumple::modules {

class Modules;

/// Arguments for the start of a module. All except `own_mass` live longer than the module.
struct Start {
  const parallel::Communicator& comm;
  const parallel::Halo& halo;
  const model::Model& model;
  state::Nodal& nodal;                     ///< at t = 0, after ties have transferred masses
  const constraints::RigidBodies& bodies;  ///< their nodes are known, their velocities not yet
  const state::Transfer& transfer;         ///< with which ties moved masses
  const std::vector<double>& own_mass;     ///< of nodes, before ties
  const Modules& started;                  ///< modules that are earlier in the list
};

/// One cycle, from t_n to t_{n+1}.
struct Cycle {
  state::Nodal& nodal;
  constraints::RigidBodies& bodies;
  model::Stage stage{};     ///< of the run; time starts at 0 in each
  bool first = false;       ///< t_n = 0
  double time = 0;          ///< t_n
  double dt_last = 0;       ///< t_n - t_{n-1}, 0 in the first cycle
  double penalty_step = 0;  ///< step for the stiffness of penalties: the last step
  // Known once the step is chosen, from `accelerate` on.
  double dt_v = 0;               ///< t_{n+1/2} - t_{n-1/2}
  double dt_x = 0;               ///< t_{n+1} - t_n
  double travelled = 0;          ///< upper bound of displacements of deformable nodes since the start
  double fastest = 0;            ///< upper bound of their present speed; known in `stop_nodes`
  std::span<const char> placed;  ///< 1 for nodes that spot welds place, whatever their velocity
  std::span<const state::GroupView> elements;  ///< of the rank, deformable; all are at t_n from `pull` on
  /// Set by `add_forces`, on every rank: nodes were put elsewhere, where contacts must look for them.
  bool jumped = false;
};

/// Energies up to t_n. Sums are of this rank, to be reduced; other numbers are the same on every rank.
struct Work {
  parallel::ExactSum external, damped;
  double external_on_bodies = 0, joint = 0;
  std::vector<double> stonewalls;  ///< of each wall
};

class Module {
 public:
  virtual ~Module() = default;

  // --- before the run ---
  /// Initialization that needs the velocities of rigid bodies at t = 0.
  virtual void initialize(state::Nodal&, const constraints::RigidBodies&) {}
  /// Time starts again: the transient run begins after dynamic relaxation.
  virtual void begin_stage() {}
  /// Nodes whose accelerations the module reads or changes; and whether it changes those of all.
  virtual void add_held_nodes(std::vector<LocalId>&) const {}
  virtual bool changes_all_accelerations() const { return false; }

  // --- a cycle, in this order ---
  /// f_ext(x_n), added before copies of nodes are summed. An exception is thrown on every rank.
  virtual void add_forces(Cycle&) {}
  /// Loads on rigid bodies through their nodes, after forces have been summed.
  virtual void pull(Cycle&) {}
  /// A limit of the step beside that of elements, the same on every rank.
  virtual double stable_step(const constraints::RigidBodies&) const { return kNoLimit; }
  /// Add accelerations that are not from forces to a_n.
  virtual void accelerate(Cycle&) {}
  /// Held and prescribed motion in a_n.
  virtual void constrain(Cycle&) {}
  /// Add directions in which `node` is held or moved now to the spaces.
  virtual void add_held(LocalId, const Cycle&, constraints::Directions& /*translation*/,
                        constraints::Directions& /*rotation*/) const {}
  /// Speed below which `stop_nodes` does not change nodes in this cycle, except watched ones.
  virtual double speed_to_reach(const Cycle&) const { return std::numeric_limits<double>::infinity(); }
  /// Correct v_{n+1/2}, and a_n accordingly.
  /// @return whether watched nodes have changed
  virtual bool stop_nodes(Cycle&) { return false; }
  virtual void add_watched_nodes(std::vector<LocalId>&) const {}
  /// Forces and moments on rigid bodies, before these advance; and their work, afterwards.
  virtual void add_body_forces(Cycle&) {}
  virtual void count_body_work(Cycle&) {}
  /// Correct v_{n+1/2} of nodes that are linked to each other, and a_n accordingly.
  virtual void link(Cycle&) {}
  /// Called after everything that changes velocities.
  virtual void count_work(Cycle&) {}
  /// An element was deleted; loads on it end.
  virtual void delete_element(model::ElementKind, LocalId) {}

  // --- queries ---
  /// Add energies up to t_n. Collective.
  virtual void add_work(Work&) const {}
  /// Its state by name, for messages and restart.
  /// @param nodes who has and who owns which
  virtual void archive(state::Archive&, const parallel::IndexMap& /*nodes*/) {}
  /// Histories that it writes.
  virtual std::vector<output::History*> histories() { return {}; }
};

}  // namespace crumple::modules
