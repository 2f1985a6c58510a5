// What limits the stable step at the nodes of belts.
#include "loads/belts/node_step.hpp"

#include <algorithm>
#include <cmath>

#include "loads/belts/belt_system.hpp"
#include "loads/belts/webbing.hpp"

namespace crumple::loads {

namespace {

/// What a shell's fabric adds at each of its nodes. Its highest frequency is 2 c / l, with l = area over the
/// longest side, as for other membranes.
NodeStep of_fabric(const BeltShell& shell, std::span<const Vec3> x) {
  const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(shell.nodes[k % 4])]; };
  double longest = 0.0;
  for (std::size_t k = 0; k < 4; ++k) longest = std::max(longest, norm(at(k + 1) - at(k)));
  const double area = 0.5 * norm(cross(at(2) - at(0), at(3) - at(1))), length = area / longest;
  const double stiffness = shell.rigidity * longest * longest / area;  // m w^2 / 4 with m = density t area
  const double time = std::max(shell.damping.time, shell.damping.fraction * length / shell.sound_speed);
  return {stiffness, stiffness * time, 0.0};
}

}  // namespace

/// The damping of elements that are no rows is left out: it is a tenth of the force at most.
std::vector<NodeStep> BeltSystem::stable_steps(std::span<const Vec3> x) const {
  std::vector<NodeStep> steps(in_->nodes.size());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const BeltElementState& s = elements_[e];
    if (s.within >= 0) continue;
    const BeltElement& in = in_->elements[e];
    const BeltMaterial& belt = material(static_cast<std::int64_t>(e));
    const bool damped = in.weightless && !at_device(static_cast<std::int64_t>(e));
    const double k = in.share * std::max(steepest(curve(belt.loading)), steepest(curve(belt.unloading))) /
                     std::min(s.length, s.stretched);
    for (const std::int64_t n : {s.first, s.second}) {
      steps[at(n)].stiffness += 2.0 * k;
      if (damped) steps[at(n)].inertia += 4.0 * 0.1 * in.share * s.mass;
    }
  }
  const std::vector<std::size_t> inside = shells_inside();  // deleted
  for (std::size_t k = 0; k < in_->shells.size(); ++k) {
    if (std::ranges::binary_search(inside, k)) continue;
    const NodeStep fabric = of_fabric(in_->shells[k], x);
    for (const std::int64_t n : in_->shells[k].nodes) {
      steps[at(n)].stiffness += fabric.stiffness;
      steps[at(n)].viscosity += fabric.viscosity;
    }
  }
  return steps;
}

}  // namespace crumple::loads
