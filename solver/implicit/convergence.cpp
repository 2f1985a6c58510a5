// Norms over their references.
#include "implicit/convergence.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::implicit {

Convergence::Convergence(Equations& equations, const NewtonOptions& options, References& references)
    : equations_(equations),
      options_(options),
      limits_(options.limits),
      rule_(norm_rule(options.limits.norm)),
      references_(references) {}

Norm Convergence::formed(std::span<const double> r) {
  const Norm force = norm_of(r, equations_.rotations(), rule_, true);
  largest_force_.raise_to(force);
  return force;
}

bool Convergence::reached(std::span<const double> d, std::span<const double> r,
                          std::span<const double> r_next, Iteration& now) {
  const std::span<const char> rotations = equations_.rotations();
  Norm increment = norm_of(d, rotations, rule_, false), energy = energy_of(d, r, rotations, rule_);
  for (Norm* const norm : {&increment, &energy}) norm->first *= now.step, norm->second *= now.step;
  const Norm force = norm_of(r_next, rotations, rule_, true);
  std::vector<double> u(d.size());
  equations_.displacement(limits_.total_displacement, u);
  Norm& displacement = limits_.total_displacement ? references_.displacement : of_step_;
  displacement.raise_to(norm_of(u, rotations, rule_, false));
  if (now.number == 1) first_energy_ = energy;
  now.increment = increment;
  now.force = force;
  now.displacement = increment.over(displacement);
  now.energy = energy.over(first_energy_);
  now.residual = force.over(largest_force_);
  if (small(d, force, now.step)) return true;
  return now.displacement < limits_.displacement && now.energy < limits_.energy &&
         now.residual < limits_.residual;
}

/// The absolute tolerance: of the residual if it is negative, else of increments of any unknown.
bool Convergence::small(std::span<const double> d, const Norm& force, double step) const {
  if (limits_.absolute < 0.0) return std::max(force.first, force.second) < -limits_.absolute;
  const std::span<const char> rotations = equations_.rotations();
  for (std::size_t i = 0; i < d.size(); ++i)
    if (std::abs(step * d[i]) > limits_.absolute * (rotations[i] ? 1.0 : options_.size)) return false;
  return true;
}

}  // namespace crumple::implicit
