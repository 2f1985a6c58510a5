// The factor of a matrix: made front by front up the tree (Duff and Reid 1983, "The multifrontal solution of
// indefinite sparse symmetric linear equations"; Liu 1992, "The multifrontal method for sparse matrix
// solution"), and solved with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "implicit/linear/child_updates.hpp"
#include "implicit/linear/factor_store.hpp"
#include "implicit/linear/tiles.hpp"

namespace crumple::implicit::linear {

/// What the factor of every matrix of one pattern needs.
struct Symbolic {
  Fronts fronts;
  FrontBlocks blocks;
  double matrix_bytes = 0;  ///< of the matrix, which stays beside the factor
};

template <class T>
class NumericFactor {
 public:
  /// @param folder of the factor's file; empty if it stays in memory
  NumericFactor(const Symbolic& symbolic, Plan plan, const std::string& folder);

  /// Cholesky's factor. Returns the smallest pivot beside the largest entry of its equation; ends where that
  /// is not above `zero`, and the factor is of no use then.
  /// @param scale largest entry of each equation, in order of elimination
  double cholesky(std::span<const double> values, std::span<const double> scale, double zero);
  /// L D L'; of double precision only.
  Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero);

  /// Solves with the last factor that was made.
  /// @param x right hand sides in order of elimination, replaced by solutions; (n_rhs, n)
  void solve(std::span<T> x, std::int64_t n_rhs);

  /// The most bytes of fronts, update matrices and blocks on their way that were in memory at once.
  std::int64_t most_bytes() const { return count_.most(); }
  DiskTraffic traffic() const { return store_.traffic(); }

 private:
  struct Room;
  /// Makes all fronts.
  template <class Elimination>
  bool make_fronts_up(std::span<const double> values, Elimination& elimination);
  template <class Elimination>
  bool make_front(std::span<const double> values, std::int32_t front, FrontRows& rows, const Room& room,
                  int threads, Elimination& elimination);
  template <class Elimination>
  void make_update_by_panels(std::int32_t front, FrontMemory<T> memory, ChildUpdates<T>& children,
                             int threads, Elimination& elimination);
  template <class PanelOf>
  void forward(std::int32_t front, PanelOf panel_of, std::span<T> x, std::int64_t n_rhs);
  template <class PanelOf>
  void backward(std::int32_t front, PanelOf panel_of, std::span<T> x, std::int64_t n_rhs);
  void divide(std::int32_t front, T* x, std::int64_t n, std::int64_t n_rhs) const;
  template <class Visit>
  void visit_fronts(bool up, Visit visit);
  template <class Visit>
  void visit_file(bool up, Visit visit);
  std::vector<Extent> extents_of_file(bool up) const;

  const Symbolic& symbolic_;
  const Plan plan_;
  MemoryCount count_;
  FactorStore store_;
  std::vector<Pivots> pivots_;  ///< of each front; none of Cholesky's
  std::vector<std::int64_t> passed_at_;
  std::vector<T> passed_;  ///< what fronts pass to their parents in a solve
};

}  // namespace crumple::implicit::linear
