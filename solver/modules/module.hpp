// A feature in the run: what one cycle asks of it, phase by phase.
//
// A module does what it has to in the phases that concern it; the step calls each phase of all modules in
// their order (modules.hpp). Its way from the deck to the ranks is model/feature.hpp.
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

/// What a module is started with. All of it but `own_mass` outlives the module.
struct Start {
  const parallel::Communicator& comm;
  const parallel::Halo& halo;
  const model::Model& model;
  state::Nodal& nodal;                     ///< at t = 0; masses of tied nodes are where ties put them
  const constraints::RigidBodies& bodies;  ///< which nodes they have; not yet their velocities
  const state::Transfer& transfer;         ///< by which ties moved masses
  const std::vector<double>& own_mass;     ///< of nodes, before that
  const Modules& started;                  ///< modules that come before in the list
};

/// One cycle, from t_n to t_{n+1}.
struct Cycle {
  state::Nodal& nodal;
  constraints::RigidBodies& bodies;
  model::Stage stage{};     ///< of the run; time starts at 0 in each
  bool first = false;       ///< t_n = 0
  double time = 0;          ///< t_n
  double dt_last = 0;       ///< t_n - t_{n-1}, 0 in the first cycle
  double penalty_step = 0;  ///< what the stiffness of penalties goes by: the last step
  // Known once the step is chosen, from `accelerate` on.
  double dt_v = 0;               ///< t_{n+1/2} - t_{n-1/2}
  double dt_x = 0;               ///< t_{n+1} - t_n
  double travelled = 0;          ///< no deformable node has gone farther since the start
  double fastest = 0;            ///< nor is faster now; known in `stop_nodes`
  std::span<const char> placed;  ///< 1 for nodes that spot welds place, whatever their velocity
};

/// Energies by t_n. Sums are of this rank, to be reduced; other numbers are the same on every rank.
struct Work {
  parallel::ExactSum external, damped;
  double external_on_bodies = 0, joint = 0;
  std::vector<double> stonewalls;  ///< of each wall
};

class Module {
 public:
  virtual ~Module() = default;

  // --- before the run ---
  /// What needs the velocities that rigid bodies have at t = 0.
  virtual void initialize(state::Nodal&, const constraints::RigidBodies&) {}
  /// Time starts anew: the run itself, after dynamic relaxation.
  virtual void begin_stage() {}
  /// Nodes whose accelerations it reads or changes; and whether it changes those of all.
  virtual void add_held_nodes(std::vector<LocalId>&) const {}
  virtual bool changes_all_accelerations() const { return false; }

  // --- a cycle, in this order ---
  /// f_ext(x_n), added before copies of nodes are summed. What is thrown is thrown on every rank.
  virtual void add_forces(Cycle&) {}
  /// What acts on rigid bodies by their nodes, when forces are summed.
  virtual void pull(Cycle&) {}
  /// A limit of the step beside that of elements, the same on every rank.
  virtual double stable_step(const constraints::RigidBodies&) const { return kNoLimit; }
  /// Add to a_n what is no force.
  virtual void accelerate(Cycle&) {}
  /// Held and prescribed motion in a_n.
  virtual void constrain(Cycle&) {}
  /// Widen the spaces by directions in which `node` is held or moved now.
  virtual void add_held(LocalId, const Cycle&, constraints::Directions& /*translation*/,
                        constraints::Directions& /*rotation*/) const {}
  /// Nodes that stay below this speed, but watched ones, `stop_nodes` will leave alone in this cycle.
  virtual double speed_to_reach(const Cycle&) const { return std::numeric_limits<double>::infinity(); }
  /// Correct v_{n+1/2}, and a_n by as much. @return whether watched nodes have changed
  virtual bool stop_nodes(Cycle&) { return false; }
  virtual void add_watched_nodes(std::vector<LocalId>&) const {}
  /// Forces and moments on rigid bodies, before these advance; and their work, after it.
  virtual void add_body_forces(Cycle&) {}
  virtual void count_body_work(Cycle&) {}
  /// When all that changes velocities has been.
  virtual void count_work(Cycle&) {}
  /// An element is gone, and with it what acts on it.
  virtual void delete_element(model::ElementKind, LocalId) {}

  // --- what it says of itself ---
  /// Add energies by t_n. Collective.
  virtual void add_work(Work&) const {}
  /// Its state by name, for messages and restart.
  /// @param nodes who has and who owns which
  virtual void archive(state::Archive&, const parallel::IndexMap& /*nodes*/) {}
  /// Histories that it writes.
  virtual std::vector<output::History*> histories() { return {}; }
};

}  // namespace crumple::modules
