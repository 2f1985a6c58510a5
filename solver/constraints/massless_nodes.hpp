// Nodes without mass: a constraint takes the loads on them, or the run ends with an error.
//
// a = f / m is not defined for a degree of freedom without mass. Its force must be taken by a constraint, a
// prescribed motion, or a body, tie or weld of the node; otherwise the force would be lost.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::modules {
class Modules;
struct Cycle;
}  // namespace crumple::modules

namespace crumple::constraints {

class MasslessNodes {
 public:
  /// Nodes of the rank without mass on which a force may act, and nodes without inertia on which a moment may
  /// act. Nodes of rigid bodies, interpolated and tied nodes are left out: they transfer all forces. Keeps a
  /// reference to `model`.
  /// @param rigid by node: whether it belongs to a rigid body
  MasslessNodes(const model::Model& model, const state::Nodal& nodal, std::span<const char> rigid);

  /// Force and moment on a node at t_n; zero if it has mass (force) or inertia (moment).
  struct Load {
    LocalId node = model::kNone;
    Vec3 force, moment;
  };

  /// Store the loads at t_n, after all forces are known and before they are cleared.
  void take_loads(const state::Nodal& nodal);
  /// The stored load of a node; null if it has mass and inertia, or no load.
  const Load* load_on(LocalId node) const;

  /// A node without mass whose load no constraint takes; of several on the rank the one with the smallest id.
  struct Loose {
    GlobalId node = std::numeric_limits<GlobalId>::max();  ///< the largest number: none
    bool moment = false;
    double size = 0;  ///< of the load that is not taken
    double time = 0;
  };
  /// Look for such a node after constraints and motions have been applied; the modules report the directions
  /// that they hold. The first one found is kept.
  void find_loose(const modules::Modules& modules, const modules::Cycle& cycle);
  const Loose& loose() const { return loose_; }

 private:
  Directions tied_axes(const state::Nodal& nodal, LocalId node, double time) const;

  const model::Model* model_;
  std::vector<Load> loads_;     ///< ascending node
  std::vector<char> acted_on_;  ///< by load: whether it is not zero now
  Loose loose_;
};

}  // namespace crumple::constraints
