// What a factor of a matrix does, on one rank or on several.
#pragma once

#include <cstdint>
#include <span>

#include "implicit/linear/pivots.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

/// Equations, right hand sides and scales are in order of elimination.
template <class T>
class Factor {
 public:
  virtual ~Factor() = default;

  /// Cholesky's factor. Returns the smallest pivot beside the largest entry of its equation; ends where that
  /// is not above `zero`, and the factor is of no use then.
  /// @param scale largest entry of each equation
  virtual double cholesky(std::span<const double> values, std::span<const double> scale, double zero) = 0;
  /// L D L'; of double precision only.
  virtual Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero) = 0;
  /// Solves with the last factor that was made.
  /// @param x right hand sides, replaced by solutions; (n_rhs, n)
  virtual void solve(std::span<T> x, std::int64_t n_rhs) = 0;
  /// The most bytes of fronts, update matrices and blocks on their way that were in memory at once, of the
  /// rank with most.
  virtual std::int64_t most_bytes() const = 0;
  /// What went through the file of this rank.
  virtual DiskTraffic traffic() const = 0;
};

}  // namespace crumple::implicit::linear
