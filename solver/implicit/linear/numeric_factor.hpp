// The factor of a matrix: made front by front up the tree (Duff and Reid 1983, "The multifrontal solution of
// indefinite sparse symmetric linear equations"; Liu 1992, "The multifrontal method for sparse matrix
// solution"), and solved with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "implicit/linear/child_updates.hpp"
#include "implicit/linear/factor.hpp"
#include "implicit/linear/factor_store.hpp"
#include "implicit/linear/tiles.hpp"

namespace crumple::implicit::linear {

/// What the factor of every matrix of one pattern needs.
struct Symbolic {
  Fronts fronts;
  FrontBlocks blocks;
  double matrix_bytes = 0;  ///< of the matrix, which stays beside the factor
  double moved_bytes = 0;   ///< of these, what goes to disk with the factor
};

template <class T>
class NumericFactor final : public Factor<T> {
 public:
  /// @param folder of the factor's file; empty if it stays in memory
  /// @param count of the memory of several factors; none: its own
  NumericFactor(const Symbolic& symbolic, Plan plan, const std::string& folder, MemoryCount* count = nullptr);

  double cholesky(std::span<const double> values, std::span<const double> scale, double zero) override;
  Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero) override;
  void solve(std::span<T> x, std::int64_t n_rhs) override;

  /// The same in two halves, with what `passed` gives between them.
  void solve_up(std::span<T> x, std::int64_t n_rhs);
  void solve_down(std::span<T> x, std::int64_t n_rhs);
  /// After solve_up: what a front passes to its parent, for each right hand side its rows that are not
  /// eliminated.
  std::span<const T> passed(std::int32_t front, std::int64_t n_rhs) const;

  /// The update matrix of a front without a parent, which is there until release_updates.
  const T* kept_update(std::int32_t front) const;
  void release_updates() { kept_ = {}; }

  std::int64_t most_bytes() const override { return count_.most(); }
  DiskTraffic traffic() const override { return store_.traffic(); }

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
  std::span<const std::int32_t> pivot_order(std::int32_t front, std::int64_t c) const;
  template <class Visit>
  void visit_fronts(bool up, Visit visit);
  template <class Visit>
  void visit_file(bool up, Visit visit);
  std::vector<Extent> extents_of_file(bool up) const;

  const Symbolic& symbolic_;
  const Plan plan_;
  MemoryCount own_count_;
  MemoryCount& count_;
  WorkingMemory kept_;  ///< update matrices of fronts without a parent
  FactorStore store_;
  std::vector<Pivots> pivots_;  ///< of each front; none of Cholesky's
  std::vector<std::int64_t> passed_at_;
  std::vector<T> passed_;  ///< what fronts pass to their parents in a solve
};

}  // namespace crumple::implicit::linear
