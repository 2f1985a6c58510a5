// Nodes that share translations: *CONSTRAINED_NODE_SET.
#pragma once

#include "constraints/massless_nodes.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::constraints {

/// Ties of one subdomain; every rank that has a node of a tie has all its nodes.
class NodeTies {
 public:
  /// Keeps a reference to `model`.
  explicit NodeTies(const model::Model& model) : model_(&model) {}

  /// Set common velocities at t = 0, with the same momentum.
  void initialize(state::Nodal& nodal) const;

  /// To be called after everything else that changes velocities at `time` (t_n). Gives tied nodes the
  /// velocity of their centre of mass at t_{n+1/2} along the tied axes. Momentum is conserved; angular
  /// momentum only where the nodes of a tie coincide, as in LS-DYNA. Forces on nodes without mass are
  /// included in the momentum.
  void apply(state::Nodal& nodal, const MasslessNodes& massless, double time, double dt_v) const;

 private:
  const model::Model* model_;
};

}  // namespace crumple::constraints
