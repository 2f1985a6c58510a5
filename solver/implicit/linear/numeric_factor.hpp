// The factor of a matrix: made front by front up the tree (Duff and Reid 1983, "The multifrontal solution of
// indefinite sparse symmetric linear equations"; Liu 1992, "The multifrontal method for sparse matrix
// solution"), and solved with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "implicit/linear/assembly.hpp"
#include "implicit/linear/factor_store.hpp"
#include "implicit/linear/tiles.hpp"

namespace crumple::implicit::linear {

/// What the factor of every matrix of one pattern needs.
struct Symbolic {
  Fronts fronts;
  Plan plan;
  FrontBlocks blocks;
  int threads = 1;
};

template <class T>
class NumericFactor {
 public:
  /// @param folder of the factor's file; empty if it stays in memory
  NumericFactor(const Symbolic& symbolic, const std::string& folder);

  /// Cholesky's factor. Returns the smallest pivot beside the largest entry of its equation; ends where that
  /// is not above `zero`, and the factor is of no use then.
  /// @param scale largest entry of each equation, in order of elimination
  double cholesky(std::span<const double> values, std::span<const double> scale, double zero);
  /// L D L'; of double precision only.
  Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero);

  /// Solves with the last factor that was made.
  /// @param x right hand sides in order of elimination, replaced by solutions; (n_rhs, n)
  void solve(std::span<T> x, std::int64_t n_rhs);

 private:
  struct Stacks;
  /// Makes all fronts; `eliminate(front, memory, threads)` returns false to end.
  template <class Eliminate>
  bool make_fronts_up(std::span<const double> values, Eliminate eliminate);
  template <class Eliminate>
  bool make_front(std::span<const double> values, std::int32_t front, FrontRows& rows, Stacks& own,
                  const T* roots, int threads, Eliminate& eliminate);
  void forward(std::int32_t front, const T* factor, std::span<T> x, std::int64_t n_rhs);
  void backward(std::int32_t front, const T* factor, std::span<T> x, std::int64_t n_rhs);
  void divide(std::int32_t front, T* x, std::int64_t n, std::int64_t n_rhs) const;
  template <class Visit>
  void visit_fronts(bool up, Visit visit);

  const Symbolic& symbolic_;
  FactorStore store_;
  std::vector<Pivots> pivots_;  ///< of each front; none of Cholesky's
  std::vector<std::int64_t> passed_at_;
  std::vector<T> passed_;  ///< what fronts pass to their parents in a solve
};

}  // namespace crumple::implicit::linear
