// Directions of constraints of nodes.
#include "constraints/stiff_links/held_nodes.hpp"

namespace crumple::constraints {

/// A prescribed motion may leave its node free, in dynamic relaxation or by a switch.
NodesHeld::NodesHeld(const model::Model& model) {
  for (const model::NodeConstraint& c : model.constraints) {
    if (c.node == model::kNone) continue;
    std::array<Directions, 2>& held = held_[c.node];
    if (c.birth > 0.0 || c.death < model::kNever) continue;
    const Matrix3 axes = c.system == model::kNone ? identity3() : model.systems[at(c.system)].axis;
    for (unsigned k = 0; k < 6; ++k)
      if (c.mask & (1u << k)) held[k / 3].add(axes[k % 3]);
  }
  for (const model::PrescribedMotion& input : model.motions)
    if (input.node != model::kNone) held_[input.node];
}

int NodesHeld::count(LocalId node, std::size_t turns) const {
  const auto found = held_.find(node);
  return found == held_.end() ? 0 : found->second[turns].count;
}

}  // namespace crumple::constraints
