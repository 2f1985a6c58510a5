// What stood in the way of a step, by node, element or contact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "implicit/solver.hpp"

namespace crumple::implicit {

using constraints::Directions;

/// A rotation vector of half a turn has no Cayley vector.
StepResult Solver::turned_too_far(const std::vector<NodeGiven>& given) const {
  constexpr double most = 170.0, degrees = 180.0 / std::numbers::pi;
  StepResult result;
  for (const NodeGiven& g : given)
    if (const double angle = degrees * norm(g.rotation.increment()); !(angle <= most)) {
      result.outcome.trouble = Trouble::iterations;
      result.trouble = fmt::format("{} is to turn by {:.0f} degrees, at most {:.0f} are possible in a step",
                                   name_of_point(g.node), angle, most);
      return result;
    }
  return result;
}

/// The first node with a force out of balance along a direction that is held because nothing is stiff there.
LocalId Solver::loaded_unattached(const StepEquations& equations) const {
  if (n_unattached_ == 0) return model::kNone;
  constexpr double rounding = 1e-6;  // of the largest force and moment, those of forces on arms included
  double force = 0.0, moment = 0.0;
  NodalForces sum = equations.reactions();
  dependents_.gather(sum);
  for (std::size_t n = 0; n < points_.size(); ++n)
    for (const NodalForces* const f : {&equations.internal(), &equations.external()}) {
      force = std::max(force, norm(f->force[n]));
      moment = std::max(moment, norm(f->moment[n]));
    }
  for (const DependentNodes::Members& body : dependents_.bodies_from(0))
    for (std::size_t k = 0; k < body.nodes.size(); ++k)
      for (const NodalForces* const f : {&equations.internal(), &equations.external()})
        moment = std::max(moment, norm(body.arms[k]) * norm(f->force[at(body.nodes[k])]));
  const auto loaded = [](const Directions& of, const Vec3& f, double limit) {
    for (int k = 0; k < of.count; ++k)
      if (std::abs(dot(of.axis[at(k)], f)) > limit) return true;
    return false;
  };
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const NodeFreedoms held = unattached_in_step(n);
    const auto given = std::ranges::lower_bound(numbered_for_, static_cast<LocalId>(n), {}, &NodeGiven::node);
    if (given != numbered_for_.end() && given->node == static_cast<LocalId>(n)) continue;
    if (loaded(held.translation, sum.force[n], rounding * force) ||
        loaded(held.rotation, sum.moment[n], rounding * moment))
      return static_cast<LocalId>(n);
  }
  return model::kNone;
}

std::string Solver::name_of_point(LocalId point) const {
  if (at(point) < nodal_.size()) return fmt::format("node {}", nodal_.id[at(point)]);
  const std::size_t b = (at(point) - nodal_.size()) % rigid_points_.size();
  return rigid_points_[b].name;
}

std::string Solver::worst_node(const Outcome& outcome) const {
  const auto largest = std::ranges::max_element(outcome.residual,
                                                [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest == outcome.residual.end()) return "no unknowns";
  const auto equation = static_cast<std::int32_t>(largest - outcome.residual.begin());
  const LocalId point = dofs_.node_of(equation);
  const std::optional<GlobalId> contact = contacts_.contact_at(point);
  return fmt::format("the largest {} out of balance is {:.3e} at {}{}",
                     dofs_.rotations()[at(equation)] ? "moment" : "force", std::abs(*largest),
                     name_of_point(point), contact ? fmt::format(", in contact {}", *contact) : "");
}

std::string Solver::describe(const Outcome& outcome) const {
  switch (outcome.trouble) {
    case Trouble::none:
      return {};
    case Trouble::broken: {
      const ElementName& e = elements_.broken();
      return fmt::format("{} {} of part {} is turned inside out, or its forces are not numbers",
                         model::info(e.kind).name, e.id, e.part);
    }
    case Trouble::singular:
      return fmt::format(
          "the stiffness has no inverse: {} is free to {} (a rigid motion, a mechanism, or a part "
          "without support)",
          name_of_point(dofs_.node_of(outcome.singular)),
          dofs_.rotations()[at(outcome.singular)] ? "turn" : "move");
    case Trouble::negative:
      return "the stiffness has negative eigenvalues (NEGEV = 1): the structure is unstable";
    case Trouble::unattached:
      return {};  // said where it is found
    case Trouble::iterations:
      return fmt::format("no equilibrium in {} iterations with {} factors: {}", outcome.iterations,
                         outcome.factors, worst_node(outcome));
  }
  return {};
}

}  // namespace crumple::implicit
