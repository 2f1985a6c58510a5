// Distributes the exact reactions on a body among the nodes that hold it.
#include "constraints/support_reactions.hpp"

namespace crumple::constraints {

namespace {

using model::Support;

/// Splits `whole` into one part in each of the spaces, with the least sum of squares: P_s (sum P)^+ whole,
/// with P_s the projections.
std::vector<Vec3> shares(const Vec3& whole, const std::vector<Directions>& spaces) {
  Matrix3 sum{};
  for (const Directions& space : spaces)
    for (int k = 0; k < 3; ++k) sum[k] += space.part_of(identity3()[k]);
  const Vec3 scaled = pseudo_inverse(sum) * whole;
  std::vector<Vec3> parts;
  for (const Directions& space : spaces) parts.push_back(space.part_of(scaled));
  return parts;
}

/// Axes `first` to `first` + 2 of the mask for which `is_exact` is true, without those that CMO holds.
template <class IsExact>
Directions held_by(const Support& s, int first, const Directions& by_cmo, IsExact is_exact) {
  Directions space;
  for (int k = 0; k < 3; ++k) {
    if (!(s.mask & (1u << (first + k))) || !is_exact(s.axis[k])) continue;
    const Vec3 rest = by_cmo.removed_from(s.axis[k]);
    if (norm(rest) > 1e-8) space.add(rest);
  }
  return space;
}

/// Distribute the exact reaction on body `b` among its supports.
void add_shares(const model::Model& model, const RigidBodies& bodies, int b,
                const std::vector<std::size_t>& supports, std::vector<SupportReaction>& reactions) {
  const RigidBodies::Bearing& bearing = bodies.bearing(b);
  const Directions &translation = bodies.held_translation_by_cmo(b),
                   &rotation = bodies.held_rotation_by_cmo(b);
  std::vector<Directions> translations, rotations;
  for (const std::size_t s : supports) {
    const Support& support = model.supports[s];
    translations.push_back(held_by(
        support, 0, translation, [&](const Vec3& axis) { return bodies.moves_along_with_centre(b, axis); }));
    rotations.push_back(held_by(support, 3, rotation, [](const Vec3&) { return true; }));
  }
  const std::vector<Vec3> forces = shares(bearing.force, translations);
  Vec3 rest = bearing.moment;  // minus the moment of the forces about the centre
  for (std::size_t k = 0; k < supports.size(); ++k) {
    const Vec3 arm = bodies.kept_state(b).direction * bodies.arm(b, model.supports[supports[k]].point);
    rest -= cross(arm, forces[k]);
    reactions[supports[k]].force += forces[k];
  }
  const std::vector<Vec3> moments = shares(rotation.removed_from(rest), rotations);
  for (std::size_t k = 0; k < supports.size(); ++k) reactions[supports[k]].moment += moments[k];
}

}  // namespace

std::vector<SupportReaction> support_reactions(const model::Model& model, const RigidBodies& bodies,
                                               const Joints& joints) {
  std::vector<SupportReaction> reactions;
  for (const Vec3& force : joints.support_forces()) reactions.push_back({force, {}});
  std::vector<std::vector<std::size_t>> of_body(static_cast<std::size_t>(bodies.size()));
  for (std::size_t s = 0; s < model.supports.size(); ++s)
    of_body[static_cast<std::size_t>(model.supports[s].body)].push_back(s);
  for (int b = 0; b < bodies.size(); ++b)
    if (const auto& supports = of_body[static_cast<std::size_t>(b)]; !supports.empty())
      add_shares(model, bodies, b, supports, reactions);
  return reactions;
}

}  // namespace crumple::constraints
