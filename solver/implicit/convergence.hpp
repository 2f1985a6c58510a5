// Whether an iteration has converged (*CONTROL_IMPLICIT_SOLUTION: DCTOL, ECTOL, RCTOL, ABSTOL).
#pragma once

#include <span>

#include "implicit/newton.hpp"

namespace crumple::implicit {

/// The checks of the iterations of one step.
class Convergence {
 public:
  /// Keeps references.
  Convergence(Equations& equations, const NewtonOptions& options, References& references);

  /// The residual that a new stiffness was formed with. @returns its norm
  Norm formed(std::span<const double> r);
  /// Puts the norms of an iteration, which went along d by now.step, into `now`.
  /// @param r the residual before it; r_next after it
  bool reached(std::span<const double> d, std::span<const double> r, std::span<const double> r_next,
               Iteration& now);

 private:
  bool small(std::span<const double> d, const Norm& force, double step) const;

  Equations& equations_;
  const NewtonOptions& options_;
  const model::Iterations& limits_;
  NormRule rule_;
  References& references_;
  Norm largest_force_, first_energy_, of_step_;
};

}  // namespace crumple::implicit
