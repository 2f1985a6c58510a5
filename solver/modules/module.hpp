// A feature in the run: what one cycle asks of it, phase by phase.
//
// A module does what it has to in the phases that concern it; the step calls each phase of all modules in
// their order (modules.hpp). Its way from the deck to the ranks is model/feature.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/element_kind.hpp"
#include "model/model.hpp"
#include "model/stage.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}
namespace crumple::output {
class History;
}

namespace crumple::modules {

class Modules;

/// What a module is started with. All of it outlives the module.
struct Start {
  const parallel::Communicator& comm;
  const parallel::Halo& halo;
  const model::Model& model;
  state::Nodal& nodal;  ///< at t = 0, with masses; tied masses are where their ties put them
  const constraints::RigidBodies& bodies;  ///< which nodes they have; not yet their velocities
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
  double dt_v = 0;          ///< t_{n+1/2} - t_{n-1/2}; known from `accelerate` on, as is
  double dt_x = 0;          ///< t_{n+1} - t_n
};

/// Energies by t_n. Sums are of this rank, to be reduced; other numbers are the same on every rank.
struct Work {
  parallel::ExactSum external, damped;
  double external_on_bodies = 0, joint = 0;
};

class Module {
 public:
  virtual ~Module() = default;

  /// Velocities at t = 0, when rigid bodies have theirs.
  virtual void initialize(state::Nodal&, const constraints::RigidBodies&) {}

  /// f_ext(x_n), added before copies of nodes are summed. What is thrown is thrown on every rank.
  virtual void add_forces(Cycle&) {}
  /// Forces and moments on rigid bodies, before these advance.
  virtual void add_body_forces(Cycle&) {}
  /// Work of these, when bodies have advanced.
  virtual void count_body_work(Cycle&) {}
  /// An element is gone, and with it what acts on it.
  virtual void delete_element(model::ElementKind, LocalId) {}

  /// Add energies by t_n. Collective.
  virtual void add_work(Work&) const {}
  /// State by name, for messages and restart.
  virtual void archive(state::Archive&) {}
  /// Histories that it writes.
  virtual std::vector<output::History*> histories() { return {}; }
};

}  // namespace crumple::modules
