// The factor of a matrix on several ranks: what each rank does, rank 0 and the others alike.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "implicit/linear/factor_needs.hpp"
#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/top_factor.hpp"

namespace crumple::implicit::linear {

/// All functions are collective; all ranks give the same `zero` and `n_rhs`, and get the same results.
template <class T>
class RankFactor {
 public:
  /// Keeps references.
  RankFactor(const parallel::Communicator& comm, const RankPart& part, const Plan& plan,
             const std::string& folder);

  /// As Factor's functions.
  /// @param values of this rank's part
  /// @param scale of the equations that its own fronts eliminate, then of the pivots of all top fronts
  double cholesky(std::span<const double> values, std::span<const double> scale, double zero);
  /// @returns equations in order of elimination of the whole matrix
  Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero);
  /// @param x of RankPart::all_equations
  void solve(std::span<T> x, std::int64_t n_rhs);
  std::int64_t most_bytes() const { return comm_.max(count_.most()); }
  /// Of this rank's own fronts.
  DiskTraffic traffic() const { return own_.traffic(); }

 private:
  std::span<const double> own_scale(std::span<const double> scale) const {
    return scale.first(static_cast<std::size_t>(n_own_));
  }
  std::span<const double> top_scale(std::span<const double> scale) const {
    return scale.subspan(static_cast<std::size_t>(n_own_));
  }

  const parallel::Communicator& comm_;
  const RankPart& part_;
  const std::int64_t n_own_;  ///< equations that the fronts of this rank eliminate
  MemoryCount count_;
  NumericFactor<T> own_;
  TopFactor<T> top_;
};

}  // namespace crumple::implicit::linear
