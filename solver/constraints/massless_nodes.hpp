// Nodes without mass: what acts on them goes to what they are linked to, or is held, or ends the run.
//
// a = f / m says nothing of a freedom without mass. Its force must be answered by a constraint, by a
// prescribed motion or by a body, a tie or a weld that the node belongs to; otherwise nothing would come of
// it.
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
  /// Nodes of the rank without mass that something may push, and those without inertia that something may
  /// turn. Nodes of rigid bodies, interpolated and tied ones are left out: these transfer all forces. Keeps a
  /// reference to `model`.
  /// @param rigid by node: of a rigid body
  MasslessNodes(const model::Model& model, const state::Nodal& nodal, std::span<const char> rigid);

  /// Force and moment on a node at t_n, zero where mass and inertia answer them.
  struct Load {
    LocalId node = model::kNone;
    Vec3 force, moment;
  };

  /// Note what acts at t_n, after all forces are known and before they are cleared.
  void take_loads(const state::Nodal& nodal);
  /// Of a node, as noted; null where it has mass and inertia, or nothing acts.
  const Load* load_on(LocalId node) const;

  /// A node without mass on which something acts that nothing answers, the least number of the rank.
  struct Loose {
    GlobalId node = std::numeric_limits<GlobalId>::max();  ///< the largest number: none
    bool moment = false;
    double size = 0;  ///< of what is not answered
    double time = 0;
  };
  /// Look for one when constraints and motions have been applied; the modules say what they hold. The first
  /// that is found is kept.
  void find_loose(const modules::Modules& modules, const modules::Cycle& cycle);
  const Loose& loose() const { return loose_; }

 private:
  Directions tied_axes(const state::Nodal& nodal, LocalId node, double time) const;

  const model::Model* model_;
  std::vector<Load> loads_;     ///< ascending node
  std::vector<char> acted_on_;  ///< by load: something acts now
  Loose loose_;
};

}  // namespace crumple::constraints
