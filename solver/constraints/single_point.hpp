// Single-point constraints: held freedoms of nodes, in global or local axes.
#pragma once

#include <memory>
#include <vector>

#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "state/nodal.hpp"

namespace crumple::constraints {

/// *BOUNDARY_SPC on the nodes of one rank. Held freedoms have no motion, so constraints do no work.
class SinglePoint final : public modules::Module {
 public:
  /// Constraints in the subdomain of rank `rank`; keeps a reference to `model`.
  SinglePoint(const model::Model& model, int rank);

  /// Remove the held parts of a, alpha, v and w at `time` (t_n), after all accelerations are known, and keep
  /// the forces for this as reactions; for a node without mass it is the held part of the force itself. Every
  /// copy of a node does the same arithmetic.
  void apply(state::Nodal& nodal, double time);

  /// Add the directions in which `node` is held now to the spaces.
  void add_held(LocalId node, Directions& translation, Directions& rotation) const;

  /// Force and moment of the constraint on a node.
  struct Reaction {
    LocalId node = model::kNone;
    Vec3 force, moment;
  };
  /// Reactions of the last apply at nodes that this rank owns, ascending user id (for spcforc).
  std::vector<Reaction> reactions(const state::Nodal& nodal) const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void constrain(modules::Cycle& c) override { apply(c.nodal, c.time); }
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void add_held(LocalId node, const modules::Cycle&, Directions& translation,
                Directions& rotation) const override {
    add_held(node, translation, rotation);
  }

 private:
  struct Held {
    LocalId node = model::kNone;
    std::vector<LocalId> constraints;  ///< into Model::constraints
    Directions translation, rotation;  ///< held now
    Vec3 force, moment;
  };
  void choose_active(double time);
  void widen(Held& held, const model::NodeConstraint& constraint) const;

  const model::Model* model_;
  int rank_;
  std::vector<Held> held_;  ///< ascending node
  double chosen_,
      next_change_;  ///< times: of the last choice of active constraints; of the next birth or death
};

}  // namespace crumple::constraints
