// Directions of constraints and prescribed motions of nodes.
#include "constraints/stiff_links/held_nodes.hpp"

#include "constraints/prescribed_motion.hpp"

namespace crumple::constraints {

NodesHeld::NodesHeld(const model::Model& model) {
  for (const model::NodeConstraint& c : model.constraints) {
    if (c.node == model::kNone) continue;
    Directions& held = rotations_[c.node];
    if (c.birth > 0.0 || c.death < model::kNever) continue;
    const Matrix3 axes = c.system == model::kNone ? identity3() : model.systems[at(c.system)].axis;
    for (int k = 0; k < 3; ++k)
      if (c.mask & (8u << k)) held.add(axes[static_cast<std::size_t>(k)]);
  }
  for (const model::PrescribedMotion& input : model.motions) {
    if (input.node == model::kNone) continue;
    Directions translations, &held = rotations_[input.node];
    if (input.birth <= 0.0 && input.death >= model::kMotionNeverEnds)
      Motion(input).add_directions(model.nodes.x[at(input.node)], translations, held);
  }
}

bool NodesHeld::all_rotations(LocalId node) const {
  const auto found = rotations_.find(node);
  return found != rotations_.end() && found->second.count == 3;
}

}  // namespace crumple::constraints
