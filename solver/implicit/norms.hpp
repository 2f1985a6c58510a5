// Norms of increments and residuals by which a step has converged (LS-DYNA manual,
// *CONTROL_IMPLICIT_SOLUTION: DCTOL, ECTOL, RCTOL, NLNORM).
#pragma once

#include <span>
#include <vector>

namespace crumple::implicit {

/// Which unknowns count (NLNORM): translations; both, each by itself; or all together, rotations times a
/// length.
enum class NormOf { translations, each, all };

struct NormRule {
  NormOf of = NormOf::translations;
  double length = 1;  ///< of rotations with `all`
};
NormRule norm_rule(double nlnorm);

/// The norm of the unknowns that count: one number, or two with NormOf::each.
struct Norm {
  double first = 0, second = 0;
  bool below(double factor, const Norm& of) const {
    return first <= factor * of.first && second <= factor * of.second;
  }
  /// The larger of the two ratios; 0 where nothing is divided by nothing.
  double over(const Norm& of) const;
  void raise_to(const Norm& other);
};

/// Norm of a vector of unknowns. Rotations of an increment are multiplied by the rule's length, moments
/// divided by it.
/// @param rotations by unknown
Norm norm_of(std::span<const double> q, std::span<const char> rotations, const NormRule& rule, bool forces);
/// |a . b| of the unknowns that count.
Norm energy_of(std::span<const double> a, std::span<const double> b, std::span<const char> rotations,
               const NormRule& rule);

}  // namespace crumple::implicit
